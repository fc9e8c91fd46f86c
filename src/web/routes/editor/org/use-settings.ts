import { useState } from 'react';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useForm } from '#web/api/use-form.ts';
import { draftOf, editOf, isChanged, SETTINGS_FIELDS, settingsProblems } from './settings-draft.ts';

/** The settings form of an organization. */
export function useSettings(api: ApiClient, loaded: OrgSettings) {
  const [saved, setSaved] = useState(loaded);
  const form = useForm({
    initial: draftOf(loaded),
    fields: SETTINGS_FIELDS,
    problemsOf: (draft) => settingsProblems(draft, saved),
  });
  /** Updates what the form shows but does not edit. */
  const update = ({ stats, statsUpdatedTimestamp, photo, photoURL, adjustments }: OrgSettings) =>
    setSaved((before) => ({ ...before, stats, statsUpdatedTimestamp, photo, photoURL, adjustments }));
  /** @returns whether it was saved; the form shows why not */
  const save = async (): Promise<boolean> => {
    const body = editOf(form.values, saved);
    const sent = await form.submit(() => api.call('editOrg', { params: { orgid: saved.id }, body }));
    if (!sent) return false;
    const now = { ...saved, ...sent.answer, reviewStories: body.reviewStories ?? saved.reviewStories };
    setSaved(now);
    form.setValues(draftOf(now));
    return true;
  };
  return { saved, form, isUnsaved: isChanged(form.values, saved), save, update };
}

export type Settings = ReturnType<typeof useSettings>;
