/** A text in the browser's storage, shared by all tabs of this site. */
export type BrowserText = {
  read(): string | null;
  write(text: string | null): void;
  /** Calls back when another tab may have changed it. @returns a function that stops it */
  watch(changed: () => void): () => void;
};

/** If the browser's storage is turned off or full, the text lasts as long as the page. */
export function browserText(key: string): BrowserText {
  let unwritten: { readonly text: string | null } | undefined;
  return {
    read: () => (unwritten ? unwritten.text : readKey(key)),
    write: (text) => {
      unwritten = writeKey(key, text) ? undefined : { text };
    },
    watch: (changed) => {
      const onStorage = (event: StorageEvent) => {
        // A null key: all of the storage was cleared.
        if (event.key === key || event.key === null) changed();
      };
      window.addEventListener('storage', onStorage);
      // A page from the back-forward cache has missed events.
      window.addEventListener('pageshow', changed);
      return () => {
        window.removeEventListener('storage', onStorage);
        window.removeEventListener('pageshow', changed);
      };
    },
  };
}

function readKey(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeKey(key: string, text: string | null): boolean {
  try {
    if (text === null) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
