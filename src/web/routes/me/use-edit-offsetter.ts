import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { isStoryShown, type SelectedPhoto } from '#domain/profile.ts';
import { m } from '#messages';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { pickEdited } from '#web/session/drafts.ts';
import { useDraft } from '#web/session/use-draft.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import {
  appendProfileFields,
  isSameProfile,
  listMissingFields,
  PROFILE_FIELDS,
  type ProfileProblems,
  type ProfileValues,
  type SavedProfile,
  toProfileValues,
  validateProfile,
} from '#web/stories/profile-fields.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { type EditOffsetterData, offsetterQuery } from './route.ts';

/** State and actions of the edit form. After saving, opens the story if it is visible. */
export function useEditOffsetter({ org, offsetterId }: OrgPageProps & EditOffsetterData) {
  const api = useApi();
  const client = useQueryClient();
  const query = offsetterQuery(api, org.id, offsetterId);
  const { data: offsetter } = useSuspenseQuery(query);
  const toast = useToast();
  const navigator = useNavigator();
  const canDelete = useCan(org.id)('offsetter.delete');
  const params = { orgid: org.id, offsetterid: offsetterId };
  const form = useForm({
    initial: toOffsetterDraft(offsetter),
    fields: PROFILE_FIELDS,
    validate: (draft) => validateProfile(draft, draft.file, offsetter.photo !== null),
  });
  const savedValues = toProfileValues(offsetter);
  const [base, setBase] = useState(savedValues);
  const isUnsaved = hasOffsetterChanged(form.values, offsetter);
  const formDraft = useDraft({
    name: `offsetter-${offsetterId}`,
    values: toProfileValues(form.values),
    base,
    savedValues,
    isUnsaved,
    // The server doesn't compare versions, so a field that the draft didn't change must not undo a newer change.
    restore: (draftValues, draftBase) => {
      form.change({ ...savedValues, ...pickEdited(draftValues, draftBase) });
      setBase(savedValues);
    },
  });
  const leaveGuard = useLeaveGuard(isUnsaved);
  const listPath = pagePath('offsetters-page', { orgid: org.id });
  const leave = async (to: string) => {
    leaveGuard.release();
    await navigator.go(to);
  };
  return {
    form,
    formDraft,
    offsetter,
    leaveGuard,
    save: async () => {
      const body = buildOffsetterForm(org.id, form.values);
      const response = await form.submit((onProgress) =>
        api.upload('editOffsetter', { params, form: body, onProgress }),
      );
      if (!response) return;
      client.setQueryData(query.queryKey, response.result);
      form.setValues(toOffsetterDraft(response.result));
      setBase(toProfileValues(response.result));
      formDraft.clear();
      toast(m.changesSaved());
      if (isStoryShown(response.result)) await leave(response.result.profileURL);
    },
    cancel: () => {
      const cancelAddress = offsetter.mine ? pagePath('user-home-page', {}) : listPath;
      void navigator.go(isStoryShown(offsetter) ? offsetter.profileURL : cancelAddress);
    },
    canDelete,
    remove: async () => {
      await api.call('deleteOffsetter', { params });
      formDraft.clear();
      toast(m.storyDeleted({ name: offsetter.name }));
      await leave(listPath);
    },
  };
}

export type OffsetterDraft = ProfileValues & {
  readonly file?: File | undefined;
};

export function toOffsetterDraft(offsetter: EditableOffsetter): OffsetterDraft {
  return { ...toProfileValues(offsetter), file: undefined };
}

/** Lists the missing fields, as in "a name and a photo"; empty if the draft is complete. */
export function formatMissingFields(problems: ProfileProblems): string {
  return formatList(listMissingFields(problems, m.storyNeedsName()));
}

export function hasOffsetterChanged(
  draft: ProfileValues & { readonly file?: SelectedPhoto | undefined },
  savedProfile: SavedProfile,
): boolean {
  return draft.file !== undefined || !isSameProfile(draft, toProfileValues(savedProfile));
}

/** Builds the multipart form of §7. */
export function buildOffsetterForm(orgId: string, draft: OffsetterDraft): FormData {
  const form = new FormData();
  form.set('orgid', orgId);
  appendProfileFields(form, draft);
  form.set('shownAs', draft.shownAs);
  // Append the photo last so the server reads all other fields first.
  if (draft.file) form.set('file', draft.file);
  return form;
}

/** Explains why a story isn't shown; undefined if it is shown. */
export function getHiddenNote({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return m.storyTakenDown();
  if (shownAs === 'none') return m.storyHidden();
  return status === 'draft' ? m.storyInReview() : undefined;
}
