/** Where one organisation's cart is kept. */
export type CartStorage = {
  read(): string | null;
  write(text: string): void;
  /** Calls back when another tab may have changed the cart. @returns how to stop */
  watch(changed: () => void): () => void;
};

/** The browser's own storage, by organisation. Where it is switched off or full, the cart lasts as long as the page. */
export function browserCartStorage(orgId: string): CartStorage {
  const key = `cart:${orgId}`;
  let unwritten: string | undefined;
  return {
    read: () => unwritten ?? readKey(key),
    write: (text) => {
      unwritten = writeKey(key, text) ? undefined : text;
    },
    watch: (changed) => {
      const onStorage = (event: StorageEvent) => {
        // A null key means that everything was cleared.
        if (event.key === key || event.key === null) changed();
      };
      window.addEventListener('storage', onStorage);
      // A page that comes back from the back-forward cache was told nothing while it was away.
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

function writeKey(key: string, text: string): boolean {
  try {
    window.localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
