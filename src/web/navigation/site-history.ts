import { localizeAddress, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';
import { isRecord } from '#web/browser/parse-json.ts';

/** An entry in the tab's history, with a key that identifies this visit. The address has no language prefix. */
export type HistoryEntry = { readonly key: string; readonly address: string };

export type SiteHistory = {
  readonly current: () => HistoryEntry;
  readonly push: (entry: HistoryEntry) => void;
  readonly replace: (entry: HistoryEntry) => void;
  /** Moves by a number of entries, like the back and forward buttons. */
  readonly go: (steps: number) => void;
  /**
   * Undoes a move of this many steps, without reporting it to the listener. Resolves after the move. Pushing the entry
   * again would remove the entries ahead of it, and Chrome's back button skips a page that adds an entry without a
   * click.
   */
  readonly undoMove: (steps: number) => Promise<void>;
  /**
   * @param onMove called when the visitor goes back (negative steps) or forward
   * @returns a function that stops listening
   */
  listen(onMove: (entry: HistoryEntry, steps: number) => void): () => void;
};

/** The parts of a window that its history needs. */
export type HistoryTab = {
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash'>;
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>;
  readonly addEventListener: (type: 'popstate', listener: () => void) => void;
  readonly removeEventListener: (type: 'popstate', listener: () => void) => void;
};

export function createBrowserHistory(tab: HistoryTab): SiteHistory {
  const readState = () => parseState(tab.history.state);
  /** Position of the visible page in the tab's history; -1 until its entry is read. */
  let position = readState()?.position ?? -1;
  let finishUndo: (() => void) | undefined;
  const current = () => {
    const address = splitLanguage(tab.location.pathname + tab.location.search + tab.location.hash).rest;
    const state = readState();
    if (state) return { key: state.key, address };
    // A hash link creates an entry without state.
    const key = createKey();
    position += 1;
    tab.history.replaceState({ key, position }, '');
    return { key, address };
  };
  return {
    current,
    push: ({ key, address }) => {
      position += 1;
      tab.history.pushState({ key, position }, '', localizeAddress(address, LANGUAGE));
    },
    replace: ({ key, address }) => tab.history.replaceState({ key, position }, '', localizeAddress(address, LANGUAGE)),
    go: (steps) => tab.history.go(steps),
    undoMove: (steps) => {
      position -= steps;
      tab.history.go(-steps);
      return new Promise((resolve) => {
        finishUndo = resolve;
      });
    },
    listen: (onMove) => {
      const onPopState = () => {
        finishUndo?.();
        finishUndo = undefined;
        const previousPosition = position;
        const entry = current();
        position = readState()?.position ?? position;
        const steps = position - previousPosition;
        // An undone move ends where it began.
        if (steps !== 0) onMove(entry, steps);
      };
      tab.addEventListener('popstate', onPopState);
      return () => tab.removeEventListener('popstate', onPopState);
    },
  };
}

function parseState(state: unknown): { readonly key: string; readonly position: number } | undefined {
  if (!isRecord(state)) return undefined;
  const { key, position } = state;
  return typeof key === 'string' && typeof position === 'number' ? { key, position } : undefined;
}

/** An in-memory history for the server and tests. */
export function createMemoryHistory(address: string): SiteHistory & { move(steps: number): void } {
  const entries: HistoryEntry[] = [{ key: createKey(), address }];
  let index = 0;
  let listener: ((entry: HistoryEntry, steps: number) => void) | undefined;
  const current = () => entries[index] ?? { key: '', address };
  const move = (steps: number) => {
    const previousIndex = index;
    index = Math.min(entries.length - 1, Math.max(0, index + steps));
    if (index !== previousIndex) listener?.(current(), index - previousIndex);
  };
  return {
    current,
    push: (entry) => {
      entries.splice(index + 1, entries.length, entry);
      index += 1;
    },
    replace: (entry) => {
      entries[index] = entry;
    },
    listen: (onMove) => {
      listener = onMove;
      return () => {
        listener = undefined;
      };
    },
    undoMove: async (steps) => {
      index -= steps;
    },
    go: move,
    move,
  };
}

let keyCount = 0;

/** A key that is unique in this tab, even after a reload. */
export function createKey(): string {
  keyCount += 1;
  return `${Date.now().toString(36)}.${keyCount}`;
}
