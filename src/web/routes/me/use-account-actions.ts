import { pagePath } from '#contract/pages.ts';
import type { User } from '#contract/schemas/users.ts';
import { saveFile } from '#web/api/save-file.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import type { AccountActions } from './account-actions.ts';

/** What somebody does about the own account, by its calls, and where it leads. */
export function useAccountActions({ id }: User): AccountActions {
  const api = useApi();
  const session = useSessionStore();
  const navigator = useNavigator();
  const leaveSignedOut = useLeaveSignedOut();
  const params = { userid: id };
  return {
    sendVerification: async () => {
      await api.call('sendVerification', { body: { returnTo: pagePath('user-home-page', {}) } });
    },
    changePassword: async (password, current) => {
      const body = current === undefined ? { password } : { password, current };
      await session.open(await api.call('changePassword', { body }));
      // From now on there is one.
      await navigator.reload();
    },
    signOutEverywhere: async () => {
      await api.call('signOutEverywhere', {});
      await leaveSignedOut('/', 'You are signed out everywhere');
    },
    download: async () => {
      const data = await api.call('downloadUser', { params });
      saveFile('my-giving.json', JSON.stringify(data, undefined, 2), 'application/json');
    },
    deleteAccount: async () => {
      await api.call('deleteUser', { params });
      await leaveSignedOut('/', 'Your account is deleted. Your gifts keep counting.');
    },
  };
}
