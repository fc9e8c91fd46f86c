import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useSessionStore } from './app-context.ts';

/** Takes leave of a session that has ended on the server, and leads to a page that is everybody's. */
export function useLeaveSignedOut(): (to: string, words: string) => Promise<void> {
  const session = useSessionStore();
  const navigator = useNavigator();
  const toast = useToast();
  return async (to, words) => {
    // First, so that nothing is asked for any more with a token that nobody takes.
    await session.signOut();
    await navigator.go(to);
    toast(words);
  };
}
