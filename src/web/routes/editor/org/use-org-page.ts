import { useState } from 'react';
import { useLeaveGuard } from '#web/navigation/use-leave-guard.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { loadOrgSettings, type OrgSettingsData } from './route.ts';
import type { StatsSetting } from './stats-setting.ts';
import { useHeaderPhoto } from './use-header-photo.ts';
import { useSettings } from './use-settings.ts';

/** What is done on the settings of an organisation. What was saved is seen in the frame around the page at once. */
export function useOrgPage({ settings: loaded }: OrgSettingsData) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const { admin, emailVerified } = useSession();
  const params = { orgid: loaded.id };
  const settings = useSettings(api, loaded);
  const header = useHeaderPhoto(api, loaded.id);
  const [settingStats, setSettingStats] = useState(false);
  const leaving = useLeaveGuard(settings.isUnsaved || header.photo !== undefined);
  const settle = () => {
    toast('saved');
    // What was loaded before shows the organisation as it was.
    navigator.forget();
    void navigator.refresh();
  };
  /** Takes over what the server has; what was done is done, also where it cannot be read just now. */
  const takeOver = async () => {
    const read = await loadOrgSettings(api, loaded.id).catch(() => undefined);
    if (read) settings.update(read.settings);
  };

  const save = async () => {
    if (await settings.save()) settle();
  };
  const setStats = async (body: StatsSetting) => {
    try {
      await api.call('editOrg', { params, body });
    } catch (error) {
      // Where the stats have moved meanwhile, the dialog then shows what they are.
      await takeOver();
      throw error;
    }
    await takeOver();
    setSettingStats(false);
    settle();
  };
  const uploadHeader = async () => {
    if (!(await header.upload())) return;
    await takeOver();
    settle();
  };
  const removeHeader = async () => {
    await api.call('removeHeader', { params });
    await takeOver();
    settle();
  };
  return {
    ...{ settings, header, leaving, save, setStats, uploadHeader, removeHeader },
    settingStats,
    askForStats: () => setSettingStats(true),
    closeStats: () => setSettingStats(false),
    maySetSlug: admin && emailVerified,
  };
}
