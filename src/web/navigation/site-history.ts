import { inLanguage, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/** An entry in the tab's history, with a key that identifies this visit. The address is without the language's folder. */
export type Entry = { readonly key: string; readonly address: string };

export type SiteHistory = {
  readonly current: () => Entry;
  readonly push: (entry: Entry) => void;
  readonly replace: (entry: Entry) => void;
  readonly back: () => void;
  /** @param onMove called when the visitor goes back or forward. @returns a function that stops listening */
  listen(onMove: (entry: Entry) => void): () => void;
};

export function browserHistory(tab: Window): SiteHistory {
  const addressNow = () => splitLanguage(tab.location.pathname + tab.location.search + tab.location.hash).rest;
  const keyNow = () => {
    const state: unknown = tab.history.state;
    return typeof state === 'object' && state && 'key' in state && typeof state.key === 'string'
      ? state.key
      : undefined;
  };
  const current = () => {
    const key = keyNow() ?? newKey();
    // A link to a hash makes an entry without a key.
    if (keyNow() === undefined) tab.history.replaceState({ key }, '');
    return { key, address: addressNow() };
  };
  return {
    current,
    push: ({ key, address }) => tab.history.pushState({ key }, '', inLanguage(address, LANGUAGE)),
    replace: ({ key, address }) => tab.history.replaceState({ key }, '', inLanguage(address, LANGUAGE)),
    back: () => tab.history.back(),
    listen: (onMove) => {
      const moved = () => onMove(current());
      tab.addEventListener('popstate', moved);
      return () => tab.removeEventListener('popstate', moved);
    },
  };
}

/** For the server, and for tests. */
export function memoryHistory(address: string): SiteHistory & { move(steps: number): void } {
  const entries: Entry[] = [{ key: newKey(), address }];
  let at = 0;
  let onMoved: ((entry: Entry) => void) | undefined;
  const current = () => entries[at] ?? { key: '', address };
  const move = (steps: number) => {
    at = Math.min(entries.length - 1, Math.max(0, at + steps));
    onMoved?.(current());
  };
  return {
    current,
    push: (entry) => {
      entries.splice(at + 1, entries.length, entry);
      at += 1;
    },
    replace: (entry) => {
      entries[at] = entry;
    },
    listen: (onMove) => {
      onMoved = onMove;
      return () => {
        onMoved = undefined;
      };
    },
    back: () => move(-1),
    move,
  };
}

let keys = 0;

/** A key that is new in this tab, also after a reload. */
export function newKey(): string {
  keys += 1;
  return `${Date.now().toString(36)}.${keys}`;
}
