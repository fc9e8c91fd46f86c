const STORED_AS = 'scroll-positions';
const MOST = 50;

/** Remembers how far down each visited page was scrolled, also over a reload. */
export type ScrollMemory = {
  readonly save: (key: string, top: number) => void;
  /** Puts what is remembered where the next document of this tab finds it. */
  readonly store: () => void;
  /** Pixels from the top, or nothing where the page was not left before. */
  readonly read: (key: string) => number | undefined;
};

/** @param storage the tab's own store; it may be closed to us, and then the memory ends with the document */
export function scrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): ScrollMemory {
  const positions = new Map<string, number>(readStored(storage));
  return {
    save: (key, top) => {
      positions.delete(key);
      positions.set(key, top);
      const [oldest] = positions.keys();
      if (positions.size > MOST && oldest !== undefined) positions.delete(oldest);
    },
    store: () => {
      try {
        storage?.setItem(STORED_AS, JSON.stringify([...positions]));
      } catch {
        // Full, or closed to us: the memory of this document is enough.
      }
    },
    read: (key) => positions.get(key),
  };
}

function readStored(storage: Pick<Storage, 'getItem'> | undefined): [string, number][] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(STORED_AS) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPosition) : [];
  } catch {
    return [];
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
