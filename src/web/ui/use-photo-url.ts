import { useMemo, useSyncExternalStore } from 'react';

/** The object URL of a chosen photo; undefined until it is created. */
export function usePhotoUrl(photo: File | undefined): string | undefined {
  const urlStore = useMemo(() => createPhotoUrlStore(photo), [photo]);
  return useSyncExternalStore(urlStore.subscribe, urlStore.get, urlStore.get);
}

/** Creates the object URL on subscribe and revokes it on unsubscribe, because it keeps the file in memory. */
function createPhotoUrlStore(photo: File | undefined) {
  let url: string | undefined;
  return {
    get: () => url,
    subscribe: () => {
      url = photo && URL.createObjectURL(photo);
      return () => {
        if (url !== undefined) URL.revokeObjectURL(url);
        url = undefined;
      };
    },
  };
}
