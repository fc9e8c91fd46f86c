import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { type ChosenPhoto, isStoryShown } from '#domain/profile.ts';
import { m } from '#messages';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
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
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { type EditOffsetterData, offsetterQuery } from './route.ts';

/** Edits a story. After saving, opens the story if it is visible. */
export function useEditOffsetter({ org, offsetterId }: OrgPageProps & EditOffsetterData) {
  const api = useApi();
  const client = useQueryClient();
  const query = offsetterQuery(api, org.id, offsetterId);
  const { data: offsetter } = useSuspenseQuery(query);
  const toast = useToast();
  const navigator = useNavigator();
  const { admin, emailVerified } = useSession();
  const params = { orgid: org.id, offsetterid: offsetterId };
  const form = useForm({
    initial: offsetterDraftOf(offsetter),
    fields: PROFILE_FIELDS,
    problemsOf: (draft) => profileProblems(draft, draft.file, offsetter.photo !== null),
  });
  const leaveGuard = useLeaveGuard(hasOffsetterChanged(form.values, offsetter));
  const list = pagePath('offsetters-page', { orgid: org.id });
  const leave = async (to: string) => {
    leaveGuard.release();
    await navigator.go(to);
  };
  return {
    form,
    offsetter,
    leaveGuard,
    save: async () => {
      const body = offsetterForm(org.id, form.values);
      const response = await form.submit((onProgress) =>
        api.upload('editOffsetter', { params, form: body, onProgress }),
      );
      if (!response) return;
      client.setQueryData(query.queryKey, response.result);
      form.setValues(offsetterDraftOf(response.result));
      toast(m.changesSaved());
      if (isStoryShown(response.result)) await leave(response.result.profileURL);
    },
    cancel: () => {
      const cancelAddress = offsetter.mine ? pagePath('user-home-page', {}) : list;
      void navigator.go(isStoryShown(offsetter) ? offsetter.profileURL : cancelAddress);
    },
    canDelete: admin && emailVerified,
    remove: async () => {
      await api.call('deleteOffsetter', { params });
      toast(m.storyDeleted({ name: offsetter.name }));
      await leave(list);
    },
  };
}

export type OffsetterDraft = ProfileValues & {
  readonly file?: File | undefined;
};

export function offsetterDraftOf(offsetter: EditableOffsetter): OffsetterDraft {
  return { ...savedValues(offsetter), file: undefined };
}

/** Lists the missing fields, as in "a name and a photo"; empty if the draft is complete. */
export function stillNeeded(problems: ProfileProblems): string {
  return formatList(missingFields(problems, m.storyNeedsName()));
}

export function hasOffsetterChanged(
  draft: ProfileValues & { readonly file?: ChosenPhoto | undefined },
  saved: SavedProfile,
): boolean {
  return draft.file !== undefined || !isSameProfile(draft, savedValues(saved));
}

/** The multipart form of §7. */
export function offsetterForm(orgId: string, draft: OffsetterDraft): FormData {
  const form = new FormData();
  form.set('orgid', orgId);
  addProfileTexts(form, draft);
  form.set('shownAs', draft.shownAs);
  // Last, so that the server has read all fields before the photo arrives.
  if (draft.file) form.set('file', draft.file);
  return form;
}

/** Reason why a story isn't shown; undefined if it is. */
export function hiddenNote({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return m.storyTakenDown();
  if (shownAs === 'none') return m.storyHidden();
  return status === 'draft' ? m.storyInReview() : undefined;
}
