type StorageName = 'localStorage' | 'sessionStorage';

/** @returns null if nothing is stored, or if storage is disabled */
export function readStorage(storage: StorageName, key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Writes text; null removes it. @returns false if storage is disabled or full */
export function writeStorage(storage: StorageName, key: string, text: string | null): boolean {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** A string in this tab's storage. */
export type TabText = {
  readonly read: () => string | null;
  /** Null removes the text. */
  readonly write: (text: string | null) => void;
};

export function getTabText(key: string): TabText {
  return {
    read: () => readStorage('sessionStorage', key),
    write: (text) => void writeStorage('sessionStorage', key, text),
  };
}
