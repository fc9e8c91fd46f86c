import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** False on the server and during hydration, when both must render the same content. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
