import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useSessionStore } from './app-context.ts';
import type { SessionStore } from './session-store.ts';

type Leave = (to: string, message: string) => Promise<void>;

/** After the server has ended the session: clears it here too, and goes to a public page with a toast. */
export function useLeaveSignedOut(): Leave {
  return useLeave((session) => session.signOut());
}

/** After giving up a role, which is in the token's claims: goes to a public page with a toast. */
export function useLeaveRole(): Leave {
  return useLeave((session) => session.refreshClaims());
}

/** @param first so that the next page does not use the old token */
function useLeave(first: (session: SessionStore) => Promise<unknown>): Leave {
  const session = useSessionStore();
  const navigator = useNavigator();
  const toast = useToast();
  return async (to, message) => {
    await first(session);
    await navigator.go(to);
    toast(message);
  };
}
