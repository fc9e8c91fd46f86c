import { useRef, useState } from 'react';
import type { ToldStory } from '#contract/schemas/told-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { ToldKind } from '#domain/story-publication.ts';
import { failedSentence, type Refusal, refusalOf } from '../../api/refusal.ts';
import { draftOf, formOf, isChanged, TOLD_FIELDS, type ToldDraft, type ToldField } from './told-draft.ts';

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

export type ToldSource = {
  readonly kind: ToldKind;
  /** The story as it is saved; nothing where it is still to be made. */
  readonly saved: ToldStory | undefined;
  readonly send: (sent: Upload) => Promise<ToldStory>;
};

type EditState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<ToldField> | undefined;
};

const RESTING: EditState = { sent: undefined, refusal: undefined };

/** What is typed into the form of an awardee or an installer, and how it is saved. */
export function useToldEdit({ kind, saved, send }: ToldSource) {
  const [draft, setDraft] = useState<ToldDraft>(() => draftOf(saved));
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
  /** @returns the story as it was saved; nothing where it was refused, which the form then says */
  const save = async (status: StoryStatus | undefined): Promise<ToldStory | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setState({ sent: 0, refusal: undefined });
    try {
      const onProgress = (sent: number) => setState({ sent, refusal: undefined });
      const story = await send({ form: formOf({ kind, draft, photo, status }), onProgress });
      setState(RESTING);
      return story;
    } catch (error) {
      const lost = { field: undefined, message: failedSentence(error) };
      setState({ sent: undefined, refusal: refusalOf(error, TOLD_FIELDS) ?? lost });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  const isUnsaved = isChanged(draft, draftOf(saved), photo);
  return { kind, saved, draft, photo, ...state, isUnsaved, change, choosePhoto, save };
}

export type ToldEdit = ReturnType<typeof useToldEdit>;
