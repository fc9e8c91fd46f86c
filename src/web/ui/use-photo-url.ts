import { useMemo, useSyncExternalStore } from 'react';

/** The object URL of a chosen photo; undefined until it is created. */
export function usePhotoUrl(photo: File | undefined): string | undefined {
  const address = useMemo(() => photoAddress(photo), [photo]);
  return useSyncExternalStore(address.subscribe, address.now, address.now);
}

/** Creates the object URL on subscribe and revokes it on unsubscribe, because it keeps the file in memory. */
function photoAddress(photo: File | undefined) {
  let url: string | undefined;
  return {
    now: () => url,
    subscribe: () => {
      url = photo && URL.createObjectURL(photo);
      return () => {
        if (url !== undefined) URL.revokeObjectURL(url);
        url = undefined;
      };
    },
  };
}
