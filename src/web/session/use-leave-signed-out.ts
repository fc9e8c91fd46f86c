import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useSessionStore } from './app-context.ts';

/** After the server has ended the session: clears it here too, and goes to a public page with a toast. */
export function useLeaveSignedOut(): (to: string, message: string) => Promise<void> {
  const session = useSessionStore();
  const navigator = useNavigator();
  const toast = useToast();
  return async (to, message) => {
    // First, so that the next page does not use the old token.
    await session.signOut();
    await navigator.go(to);
    toast(message);
  };
}

/** After giving up a role: goes to a public page with a toast. */
export function useLeaveRole(): (to: string, message: string) => Promise<void> {
  const session = useSessionStore();
  const navigator = useNavigator();
  const toast = useToast();
  return async (to, message) => {
    // The role is in the token's claims.
    await session.refreshClaims();
    await navigator.go(to);
    toast(message);
  };
}
