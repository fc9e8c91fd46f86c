import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useSessionStore } from './app-context.ts';
import type { SessionStore } from './session-store.ts';

type Leave = (to: string, message: string) => Promise<void>;

/** Clears a session that the server has ended, and opens a public page with a toast. */
export function useLeaveSignedOut(): Leave {
  return useLeave((session) => session.signOut());
}

/** Refreshes the token's claims after the person gave up a role, and opens a public page with a toast. */
export function useLeaveRole(): Leave {
  return useLeave((session) => session.refreshClaims());
}

/** @param updateSession runs first, so that the next page doesn't use the old token */
function useLeave(updateSession: (session: SessionStore) => Promise<unknown>): Leave {
  const session = useSessionStore();
  const navigator = useNavigator();
  const toast = useToast();
  return async (to, message) => {
    await updateSession(session);
    await navigator.go(to);
    toast(message);
  };
}
