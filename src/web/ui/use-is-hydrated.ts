import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** False on the server and while the browser hydrates its document, whose content must be the same. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
