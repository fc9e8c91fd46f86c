import { useRef, useState } from 'react';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { ApiClient } from '#web/api/client.ts';
import { failedSentence, type Refusal, refusalOf } from '#web/api/refusal.ts';
import {
  draftOf,
  editOf,
  isChanged,
  SETTINGS_FIELDS,
  type SettingsDraft,
  type SettingsField,
} from './settings-draft.ts';

type SavingState = { readonly saving: boolean; readonly refusal: Refusal<SettingsField> | undefined };

const RESTING: SavingState = { saving: false, refusal: undefined };

/** What is typed into the settings of an organisation, and how it is saved. */
export function useSettings(api: ApiClient, loaded: OrgSettings) {
  const [saved, setSaved] = useState(loaded);
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(loaded));
  const [state, setState] = useState(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);

  const change = (part: Partial<SettingsDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setState((before) => {
      const field = before.refusal?.field;
      return field === undefined || field in part ? { ...before, refusal: undefined } : before;
    });
  };
  /** Takes over what is not in the form's fields as the server has it by now. */
  const take = ({ stats, statsUpdatedTimestamp, photo, photoURL, adjustments }: OrgSettings) =>
    setSaved((before) => ({ ...before, stats, statsUpdatedTimestamp, photo, photoURL, adjustments }));
  /** @returns whether it was saved; where it was refused the form says so */
  const save = async (): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setState({ saving: true, refusal: undefined });
    try {
      const body = editOf(draft, saved);
      const org = await api.call('editOrg', { params: { orgid: saved.id }, body });
      const now = { ...saved, ...org, reviewStories: body.reviewStories ?? saved.reviewStories };
      setSaved(now);
      setDraft(draftOf(now));
      setState(RESTING);
      return true;
    } catch (error) {
      const lost = { field: undefined, message: failedSentence(error) };
      setState({ saving: false, refusal: refusalOf(error, SETTINGS_FIELDS) ?? lost });
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { saved, draft, ...state, isUnsaved: isChanged(draft, saved), change, save, take };
}

export type Settings = ReturnType<typeof useSettings>;
