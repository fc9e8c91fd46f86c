import { useState } from 'react';
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
import { useAttempt } from '#web/api/use-attempt.ts';
import { useForm } from '#web/api/use-form.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { listed } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { EditOffsetterData } from './route.ts';

/** Edits a story, and opens it once it is saved; otherwise the page stays. */
export function useEditOffsetter({ org, offsetter }: OrgFrame & EditOffsetterData) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const { admin, emailVerified } = useSession();
  const params = { orgid: org.id, offsetterid: offsetter.id };
  const [saved, setSaved] = useState(offsetter);
  const form = useForm({
    initial: draftOf(offsetter),
    fields: OFFSETTER_FIELDS,
    problemsOf: (draft) => offsetterProblems(draft, saved.photo !== null),
  });
  const leaving = useLeaveGuard(isChanged(form.values, saved));
  const list = pagePath('offsetters-page', { orgid: org.id });
  const leave = async (to: string) => {
    leaving.release();
    navigator.forget();
    await navigator.go(to);
  };
  const deleting = useAttempt();
  return {
    form,
    saved,
    leaving,
    save: async () => {
      const body = offsetterForm(org.id, form.values);
      const sent = await form.submit((onProgress) => api.upload('editOffsetter', { params, form: body, onProgress }));
      if (!sent) return;
      setSaved(sent.answer);
      form.setValues(draftOf(sent.answer));
      toast('Your changes are saved');
      if (isStoryShown(sent.answer)) await leave(sent.answer.profileURL);
    },
    cancel: () => {
      const back = offsetter.mine ? pagePath('user-home-page', {}) : list;
      void navigator.go(isStoryShown(saved) ? saved.profileURL : back);
    },
    mayDelete: admin && emailVerified,
    deleting,
    remove: () =>
      deleting.run(async () => {
        await api.call('deleteOffsetter', { params });
        toast(`The story of ${offsetter.name} is deleted`);
        await leave(list);
      }),
  };
}

export type OffsetterDraft = {
  readonly name: string;
  readonly story: string;
  readonly shownAs: ShownAs;
  /** A newly chosen photo. */
  readonly file?: File | undefined;
};

/** The fields that can be refused, by the names the API uses (§7), in the order of the form (§2). */
export type OffsetterField = 'name' | 'story' | 'file';
const OFFSETTER_FIELDS: readonly OffsetterField[] = ['name', 'story', 'file'];

export function draftOf({ name, story, shownAs }: EditableOffsetter): OffsetterDraft {
  return { name, story, shownAs, file: undefined };
}

type OffsetterProblems = Readonly<Partial<Record<OffsetterField, string>>>;
type CheckedDraft = Omit<OffsetterDraft, 'file'> & { readonly file?: ChosenPhoto | undefined };

/**
 * What is wrong with a draft, by field (§5). If the story is not to be shown, nothing is required (decisions §5), but
 * what is filled in must be valid.
 * @param hasPhoto whether the story has a photo already
 */
export function offsetterProblems({ name, story, shownAs, file }: CheckedDraft, hasPhoto: boolean): OffsetterProblems {
  const isShown = shownAs !== 'none';
  const failures = {
    name: isShown || name.trim() !== '' ? nameFailure(name) : undefined,
    story: isShown || story.trim() !== '' ? storyFailure(story) : undefined,
    file: file || (isShown && !hasPhoto) ? photoFailure(file) : undefined,
  };
  const found = OFFSETTER_FIELDS.flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const FIELD_LABELS: Readonly<Record<OffsetterField, string>> = {
  name: 'a name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
};

/** What is still missing, as in "a name and a photo"; empty if nothing is. */
export function stillNeeded(problems: OffsetterProblems): string {
  const fields = OFFSETTER_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => FIELD_LABELS[field]));
}

export function isChanged(
  { name, story, shownAs, file }: CheckedDraft,
  saved: Pick<EditableOffsetter, 'name' | 'story' | 'shownAs'>,
): boolean {
  return file !== undefined || name !== saved.name || story !== saved.story || shownAs !== saved.shownAs;
}

/** The multipart form of §7. */
export function offsetterForm(orgid: string, { name, story, shownAs, file }: OffsetterDraft): FormData {
  const form = new FormData();
  form.set('orgid', orgid);
  form.set('name', name);
  form.set('story', story);
  form.set('shownAs', shownAs);
  // Last, so that the server has read all the fields before the bytes arrive.
  if (file) form.set('file', file);
  return form;
}

/** Why a story is not shown at the moment; nothing if it is. */
export function hiddenNote({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return 'This story was taken down and is not shown. You can still change it.';
  if (shownAs === 'none') return 'This story is hidden.';
  return status === 'draft' ? 'This story is in review and not shown yet.' : undefined;
}
