import { useRef, useState } from 'react';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { ApiProblem, failedSentence, type Refusal, refusalOf } from '#web/api/api-error.ts';
import { draftOf, EMPTY_DRAFT, formOf, isChanged, TOLD_FIELDS, type ToldDraft, type ToldField } from './told-draft.ts';

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

export type ToldSource = {
  readonly kind: EditorialKind;
  /** The story as it is saved; nothing where it is still to be made. */
  readonly saved: EditorialStory | undefined;
  readonly send: (sent: Upload) => Promise<EditorialStory>;
};

/** A text that somebody else saved while one was writing. */
export type NewerStory = Pick<ToldDraft, 'name' | 'story'>;

type EditState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<ToldField> | undefined;
  readonly newer: NewerStory | undefined;
};

const RESTING: EditState = { sent: undefined, refusal: undefined, newer: undefined };

/** What is typed into the form of an awardee or an installer, and how it is saved. */
export function useToldEdit({ kind, saved, send }: ToldSource) {
  const [draft, setDraft] = useState<ToldDraft>(() => draftOf(saved));
  const [basedOn, setBasedOn] = useState(() => saved && draftOf(saved));
  const [photo, setPhoto] = useState<File>();
  const [state, setState] = useState(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);

  const mend = (field: string) =>
    setState((before) => ((before.refusal?.field ?? field) === field ? { ...before, refusal: undefined } : before));
  const change = (part: Partial<ToldDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    for (const field of Object.keys(part)) mend(field);
  };
  const choosePhoto = (chosen: File | undefined) => {
    setPhoto(chosen);
    mend('file');
  };
  /**
   * @param over somebody else's newer text, which may go
   * @returns the story as it was saved; nothing where it was refused, which the form then says
   */
  const save = async (status: StoryStatus | undefined, over?: NewerStory): Promise<EditorialStory | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    const seen = basedOn && { ...basedOn, ...over };
    setBasedOn(seen);
    setState({ ...RESTING, sent: 0 });
    try {
      const onProgress = (sent: number) => setState({ ...RESTING, sent });
      const story = await send({ form: formOf({ kind, basedOn: seen, draft, photo, status }), onProgress });
      setState(RESTING);
      return story;
    } catch (error) {
      setState({ ...RESTING, ...failed(error) });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  const goOn = () => setState(RESTING);
  /** Drops what was typed here for what somebody else has saved. */
  const takeTheirs = (theirs: NewerStory) => {
    setBasedOn((before) => before && { ...before, ...theirs });
    setDraft((before) => ({ ...before, ...theirs }));
    goOn();
  };
  const isUnsaved = isChanged(draft, basedOn ?? EMPTY_DRAFT, photo);
  return { kind, saved, draft, photo, ...state, isUnsaved, change, choosePhoto, save, goOn, takeTheirs };
}

export type ToldEdit = ReturnType<typeof useToldEdit>;

/** What to say of a save that failed: that somebody else was faster, what has to be mended, or that it was lost. */
function failed(error: unknown): Partial<EditState> {
  if (error instanceof ApiProblem && error.code === 'story-changed') {
    const { name, story } = error.details;
    return { newer: { name: String(name), story: String(story) } };
  }
  return { refusal: refusalOf(error, TOLD_FIELDS) ?? { field: undefined, message: failedSentence(error) } };
}
