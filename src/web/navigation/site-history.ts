import { localizeAddress, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/** An entry in the tab's history, with a key that identifies this visit. The address has no language prefix. */
export type HistoryEntry = { readonly key: string; readonly address: string };

export type SiteHistory = {
  readonly current: () => HistoryEntry;
  readonly push: (entry: HistoryEntry) => void;
  readonly replace: (entry: HistoryEntry) => void;
  readonly back: () => void;
  /** @param onMove called when the visitor goes back or forward. @returns a function that stops listening */
  listen(onMove: (entry: HistoryEntry) => void): () => void;
};

export function createBrowserHistory(tab: Window): SiteHistory {
  const currentAddress = () => splitLanguage(tab.location.pathname + tab.location.search + tab.location.hash).rest;
  const currentKey = () => {
    const state: unknown = tab.history.state;
    return typeof state === 'object' && state && 'key' in state && typeof state.key === 'string'
      ? state.key
      : undefined;
  };
  const current = () => {
    const key = currentKey() ?? createKey();
    // A link to a hash creates an entry without a key.
    if (currentKey() === undefined) tab.history.replaceState({ key }, '');
    return { key, address: currentAddress() };
  };
  return {
    current,
    push: ({ key, address }) => tab.history.pushState({ key }, '', localizeAddress(address, LANGUAGE)),
    replace: ({ key, address }) => tab.history.replaceState({ key }, '', localizeAddress(address, LANGUAGE)),
    back: () => tab.history.back(),
    listen: (onMove) => {
      const onPopState = () => onMove(current());
      tab.addEventListener('popstate', onPopState);
      return () => tab.removeEventListener('popstate', onPopState);
    },
  };
}

/** For the server, and for tests. */
export function createMemoryHistory(address: string): SiteHistory & { move(steps: number): void } {
  const entries: HistoryEntry[] = [{ key: createKey(), address }];
  let index = 0;
  let listener: ((entry: HistoryEntry) => void) | undefined;
  const current = () => entries[index] ?? { key: '', address };
  const move = (steps: number) => {
    index = Math.min(entries.length - 1, Math.max(0, index + steps));
    listener?.(current());
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
    back: () => move(-1),
    move,
  };
}

let keyCount = 0;

/** A key that is unique in this tab, even after a reload. */
export function createKey(): string {
  keyCount += 1;
  return `${Date.now().toString(36)}.${keyCount}`;
}
