import { useQueryClient } from '@tanstack/react-query';
import type { CallName } from '#contract/calls.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';

/**
 * Marks everything loaded before a change as out of date: pages for the back button, and queries.
 * @returns a function to call after the change, with the calls to repeat if the open page shows them
 */
export function useRefresh(): (calls: readonly CallName[]) => void {
  const client = useQueryClient();
  const { forget } = useNavigator();
  return (calls) => {
    forget();
    void client.invalidateQueries({ refetchType: 'none' });
    void client.refetchQueries({
      type: 'active',
      predicate: ({ queryKey: [name] }) => calls.some((call) => call === name),
    });
  };
}

/**
 * For changes that a dialog or a form sends, which then shows their progress and failure.
 * @param affected calls whose data the page shows and the change affects
 * @returns a function that makes a change; the page's data follows
 */
export function useChange(
  affected: readonly CallName[] = [],
): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const refresh = useRefresh();
  return async (call) => {
    const result = await call();
    refresh(affected);
    return result;
  };
}
