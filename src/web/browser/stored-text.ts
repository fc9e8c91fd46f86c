import { createStore } from './create-store.ts';
import { memoizeByKey } from './memoize-by-key.ts';
import { readStorage, writeStorage } from './safe-storage.ts';

/** A string in localStorage, shared by all tabs of this site. */
export type StoredText = {
  readonly read: () => string | null;
  readonly write: (text: string | null) => void;
  /** Calls `listener` after every write in any tab. @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
};

/** Returns the stored text for a key. If localStorage is disabled or full, the text lasts as long as the page. */
export const getStoredText = memoizeByKey(createStoredText);

function createStoredText(key: string): StoredText {
  const fallback = createStore<{ readonly text: string | null } | undefined>(undefined, () =>
    watchStorage(key, notify),
  );
  const notify = () => fallback.set(fallback.get());
  return {
    read: () => {
      const text = fallback.get();
      return text ? text.text : readStorage('localStorage', key);
    },
    write: (text) => fallback.set(writeStorage('localStorage', key, text) ? undefined : { text }),
    subscribe: fallback.subscribe,
  };
}

/** @returns a function that stops watching */
function watchStorage(key: string, onChange: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // The key is null if the whole storage was cleared.
    if (event.key === key || event.key === null) onChange();
  };
  window.addEventListener('storage', onStorage);
  // A page restored from the back-forward cache may have missed events.
  window.addEventListener('pageshow', onChange);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onChange);
  };
}
