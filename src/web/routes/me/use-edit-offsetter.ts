import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { type ChosenPhoto, isStoryShown } from '#domain/profile.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useForm } from '#web/api/use-form.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import {
  addProfileTexts,
  isSameProfile,
  missingFields,
  PROFILE_FIELDS,
  type ProfileProblems,
  type ProfileValues,
  profileProblems,
  type SavedProfile,
  savedValues,
} from '#web/stories/profile-fields.tsx';
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
    fields: PROFILE_FIELDS,
    problemsOf: (draft) => profileProblems(draft, draft.file, saved.photo !== null),
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
      toast(m.changesSaved());
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
        toast(m.storyDeleted({ name: offsetter.name }));
        await leave(list);
      }),
  };
}

export type OffsetterDraft = ProfileValues & {
  readonly file?: File | undefined;
};

export function draftOf(offsetter: EditableOffsetter): OffsetterDraft {
  return { ...savedValues(offsetter), file: undefined };
}

/** What is still missing, as in "a name and a photo"; empty if nothing is. */
export function stillNeeded(problems: ProfileProblems): string {
  return listed(missingFields(problems, m.storyNeedsName()));
}

export function isChanged(
  draft: ProfileValues & { readonly file?: ChosenPhoto | undefined },
  saved: SavedProfile,
): boolean {
  return draft.file !== undefined || !isSameProfile(draft, savedValues(saved));
}

/** The multipart form of §7. */
export function offsetterForm(orgid: string, draft: OffsetterDraft): FormData {
  const form = new FormData();
  form.set('orgid', orgid);
  addProfileTexts(form, draft);
  form.set('shownAs', draft.shownAs);
  // Last, so that the server has read all the fields before the bytes arrive.
  if (draft.file) form.set('file', draft.file);
  return form;
}

/** Why a story is not shown at the moment; nothing if it is. */
export function hiddenNote({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return m.storyTakenDown();
  if (shownAs === 'none') return m.storyHidden();
  return status === 'draft' ? m.storyInReview() : undefined;
}
