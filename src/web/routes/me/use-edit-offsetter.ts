import { useRef, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import {
  type ChosenPhoto,
  isStoryShown,
  nameFailure,
  photoFailure,
  type ShownAs,
  STORY_MINIMUM,
  storyFailure,
} from '#domain/profile.ts';
import { failedSentence, type Refusal, refusalOf } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { listed } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { EditOffsetterData } from './route.ts';

/** What happens on the edit-offsetter page, and where it leads. */
export function useEditOffsetterPage({ org, offsetter }: OrgFrame & EditOffsetterData) {
  const api = useApi();
  const toast = useToast();
  const { admin, emailVerified } = useSession();
  const params = { orgid: org.id, offsetterid: offsetter.id };
  const edit = useOffsetterEdit(api, params, offsetter);
  const leaving = useLeaveGuard(edit.isUnsaved);
  const goOn = useGoOn(leaving.release);
  const list = pagePath('offsetters-page', { orgid: org.id });

  const save = async () => {
    const saved = await edit.save();
    if (!saved) return;
    toast('Your changes are saved');
    if (isStoryShown(saved)) await goOn(saved.profileURL);
  };
  const navigator = useNavigator();
  const cancel = () => {
    const back = offsetter.mine ? pagePath('user-home-page', {}) : list;
    void navigator.go(isStoryShown(edit.saved) ? edit.saved.profileURL : back);
  };
  const deletion = useDeletion(async () => {
    await api.call('deleteOffsetter', { params });
    toast(`The offsetter ${offsetter.name} is deleted`);
    await goOn(list);
  });
  return { edit, leaving, save, cancel, deletion, mayDelete: admin && emailVerified };
}

/** Leads on from a page whose work is done: nothing is asked, and what was loaded before is asked for anew. */
function useGoOn(release: () => void) {
  const navigator = useNavigator();
  return async (to: string) => {
    release();
    navigator.forget();
    await navigator.go(to);
  };
}

function useDeletion(remove: () => Promise<void>) {
  const [asking, setAsking] = useState(false);
  const { busy, problem, run, clear } = useAttempt();
  return {
    asking,
    busy,
    problem,
    ask: () => {
      clear();
      setAsking(true);
    },
    close: () => setAsking(false),
    confirm: () => run(remove),
  };
}

type OffsetterKey = { readonly orgid: string; readonly offsetterid: string };

type EditState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<OffsetterField> | undefined;
};

const RESTING: EditState = { sent: undefined, refusal: undefined };

/** What is typed into the edit form, and how it is saved. */
function useOffsetterEdit(api: ApiClient, params: OffsetterKey, loaded: EditableOffsetter) {
  const [saved, setSaved] = useState(loaded);
  const [draft, setDraft] = useState<OffsetterDraft>(() => draftOf(loaded));
  const [photo, setPhoto] = useState<File>();
  const [state, setState] = useState(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);

  const mend = (field: OffsetterField) =>
    setState((before) => ((before.refusal?.field ?? field) === field ? { ...before, refusal: undefined } : before));
  const change = (part: Partial<OffsetterDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    if (part.name !== undefined) mend('name');
    if (part.story !== undefined) mend('story');
  };
  const choosePhoto = (chosen: File | undefined) => {
    setPhoto(chosen);
    mend('file');
  };
  /** @returns the offsetter as it was saved; nothing where it was refused, which the form then says */
  const save = async (): Promise<EditableOffsetter | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setState({ sent: 0, refusal: undefined });
    try {
      const form = formOf(params.orgid, draft, photo);
      const onProgress = (sent: number) => setState({ sent, refusal: undefined });
      const answer = await api.upload('editOffsetter', { params, form, onProgress });
      setSaved(answer);
      setDraft(draftOf(answer));
      setPhoto(undefined);
      setState(RESTING);
      return answer;
    } catch (error) {
      // Saving twice is saving once: what was lost on the way can simply be sent again.
      const lost = { field: undefined, message: failedSentence(error) };
      setState({ sent: undefined, refusal: refusalOf(error, OFFSETTER_FIELDS) ?? lost });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  const isUnsaved = isChanged(draft, draftOf(saved), photo);
  return { saved, draft, photo, ...state, isUnsaved, change, choosePhoto, save };
}

export type OffsetterEdit = ReturnType<typeof useOffsetterEdit>;

/** What stands in the fields of the edit form. */
export type OffsetterDraft = { readonly name: string; readonly story: string; readonly shownAs: ShownAs };

/** The fields that can be wrong, by the names they are sent under (§7), in the order of the form (§2). */
export type OffsetterField = 'name' | 'story' | 'file';
const OFFSETTER_FIELDS: readonly OffsetterField[] = ['name', 'story', 'file'];

type OffsetterProblems = Readonly<Partial<Record<OffsetterField, string>>>;

export function draftOf({ name, story, shownAs }: EditableOffsetter): OffsetterDraft {
  return { name, story, shownAs };
}

/**
 * What keeps an edit from being saved, by field, in words for its writer (§5): a photo may be the one that is there.
 * Whoever is not to be shown owes none of it (decisions §5), but what is written must still fit.
 */
export function offsetterProblems(
  { name, story, shownAs }: OffsetterDraft,
  photo: ChosenPhoto | undefined,
  hasPhoto: boolean,
): OffsetterProblems {
  const isShown = shownAs !== 'none';
  const failures = {
    name: isShown || name.trim() !== '' ? nameFailure(name) : undefined,
    story: isShown || story.trim() !== '' ? storyFailure(story) : undefined,
    file: photo || (isShown && !hasPhoto) ? photoFailure(photo) : undefined,
  };
  const found = OFFSETTER_FIELDS.flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const NEEDED: Readonly<Record<OffsetterField, string>> = {
  name: 'a name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
};

/** What is still to be filled in, as a list for people: "a name and a photo". Empty when nothing is. */
export function stillNeeded(problems: OffsetterProblems): string {
  const fields = OFFSETTER_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => NEEDED[field]));
}

/** Whether there is something to save. */
export function isChanged(draft: OffsetterDraft, saved: OffsetterDraft, photo: ChosenPhoto | undefined): boolean {
  return (
    photo !== undefined || draft.name !== saved.name || draft.story !== saved.story || draft.shownAs !== saved.shownAs
  );
}

/** The multipart form of §7. */
export function formOf(orgid: string, { name, story, shownAs }: OffsetterDraft, photo: File | undefined): FormData {
  const form = new FormData();
  form.set('orgid', orgid);
  form.set('name', name);
  form.set('story', story);
  form.set('shownAs', shownAs);
  // Last, so that whoever reads the form knows all the rest before the bytes come.
  if (photo) form.set('file', photo);
  return form;
}

/** What a page that is not among the offsetters just now says of that; nothing where it is. */
export function standingOf({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return 'This story was taken down and is not shown. What you change here is kept.';
  if (shownAs === 'none') return 'This story is not shown to anybody.';
  return status === 'draft' ? 'This story waits for an editor and is not shown yet.' : undefined;
}
