import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** False on the server and during hydration, when both must render the same content. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
