import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { parseJson } from '#web/browser/parse-json.ts';
import { getTabText, type TabText } from '#web/browser/safe-storage.ts';
import { isSamePath, parseAddress } from './address.ts';
import type { NavigatorState } from './navigator.ts';

/**
 * Restores the scroll position after a navigation and focuses the page's heading, so keyboard users continue there and
 * screen readers announce it. If the hash is the id of a field or a button, focuses that instead. Focus doesn't move on
 * the first load, or if only the query or hash changes.
 */
export function useFocusAndScroll(
  { entry, navigationType, keepsScroll }: NavigatorState<object>,
  main: RefObject<HTMLElement | null>,
) {
  const previousAddress = useRef(entry.address);
  useScrollRestoration({ entry, navigationType, keepsScroll });
  useEffect(() => {
    const pathChanged = !isSamePath(entry.address, previousAddress.current);
    previousAddress.current = entry.address;
    if (!pathChanged) return;
    const target = findElement(parseAddress(entry.address).hash);
    const control = target?.matches(':is(input, select, textarea, button):not(:disabled)') ? target : null;
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current;
    (control ?? heading)?.focus({ preventScroll: true });
  }, [entry, main]);
}

function useScrollRestoration({
  entry,
  navigationType,
  keepsScroll,
}: Pick<NavigatorState<object>, 'entry' | 'navigationType' | 'keepsScroll'>) {
  const memory = useRef<ScrollMemory>(undefined);
  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);
  useLayoutEffect(() => {
    memory.current ??= createScrollMemory(getTabText('scroll-positions'));
    const { current } = memory;
    const target = findScrollTarget({ entry, navigationType, keepsScroll }, current);
    if (target instanceof Element) target.scrollIntoView({ behavior: 'instant' });
    else if (target !== undefined) window.scrollTo({ top: target, behavior: 'instant' });
    const save = () => current.save(entry.key, window.scrollY);
    window.addEventListener('scroll', save, { passive: true });
    window.addEventListener('pagehide', current.persist);
    return () => {
      window.removeEventListener('scroll', save);
      window.removeEventListener('pagehide', current.persist);
    };
  }, [entry, navigationType, keepsScroll]);
}

/** An element to scroll to below the sticky header, or pixels from the top; undefined if the page should not scroll. */
function findScrollTarget(
  { entry, navigationType, keepsScroll }: Pick<NavigatorState<object>, 'entry' | 'navigationType' | 'keepsScroll'>,
  memory: ScrollMemory,
): Element | number | undefined {
  const savedTop = memory.read(entry.key);
  if (navigationType === 'back-or-forward' || navigationType === 'initial') {
    if (savedTop !== undefined) return savedTop;
  }
  const target = findElement(parseAddress(entry.address).hash);
  return (target && findLabel(target)) ?? target ?? (navigationType === 'initial' || keepsScroll ? undefined : 0);
}

function findElement(hash: string): HTMLElement | null {
  return hash.length > 1 ? document.getElementById(idFromHash(hash)) : null;
}

/** The label above a field, which the sticky header would otherwise cover. */
function findLabel(field: HTMLElement): HTMLElement | undefined {
  return 'labels' in field ? (field as HTMLInputElement).labels?.[0] : undefined;
}

/** The id in "#questions"; unchanged if it can't be decoded, as in "#%". */
export function idFromHash(hash: string): string {
  const id = hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

const MAX_POSITIONS = 50;

/** Scroll positions of visited pages. They survive a reload unless the tab's storage is disabled or full. */
type ScrollMemory = {
  readonly save: (key: string, top: number) => void;
  /** Saves the positions to sessionStorage for the next document in this tab. */
  readonly persist: () => unknown;
  /** Pixels from the top; undefined if the page was never scrolled. */
  readonly read: (key: string) => number | undefined;
};

export function createScrollMemory(storage: TabText): ScrollMemory {
  const positions = new Map(parsePositions(storage.read()));
  return {
    save: (key, top) => {
      positions.delete(key);
      positions.set(key, top);
      const [oldest] = positions.keys();
      if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
    },
    persist: () => storage.write(JSON.stringify([...positions])),
    read: (key) => positions.get(key),
  };
}

function parsePositions(text: string | null): [string, number][] {
  const positions = parseJson(text);
  return Array.isArray(positions) ? positions.filter(isPosition) : [];
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
