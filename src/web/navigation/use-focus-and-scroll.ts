import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isSamePath, parseAddress } from './address.ts';
import type { NavigatorState } from './navigator.ts';

/**
 * After navigation: restores the scroll position and focuses the page's heading, so keyboard users continue there and
 * screen readers announce it. Focus does not move on first load, or when only the query or hash changes.
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
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current;
    heading?.focus({ preventScroll: true });
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
    memory.current ??= createScrollMemory(getSessionStorage());
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
  if (navigationType === 'back-or-forward' || navigationType === 'first') {
    if (savedTop !== undefined) return savedTop;
  }
  const target = findElement(parseAddress(entry.address).hash);
  return target ?? (navigationType === 'first' || keepsScroll ? undefined : 0);
}

function findElement(hash: string): HTMLElement | null {
  return hash.length > 1 ? document.getElementById(idFromHash(hash)) : null;
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

function getSessionStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

const STORAGE_KEY = 'scroll-positions';
const MAX_POSITIONS = 50;

/** Scroll positions of visited pages, preserved across reloads. */
type ScrollMemory = {
  readonly save: (key: string, top: number) => void;
  /** Saves the positions to sessionStorage for the next document in this tab. */
  readonly persist: () => void;
  /** Pixels from the top; undefined if the page was never scrolled. */
  readonly read: (key: string) => number | undefined;
};

/** @param storage sessionStorage; if it is unavailable, positions last as long as the document */
export function createScrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): ScrollMemory {
  const positions = new Map<string, number>(readPositions(storage));
  return {
    save: (key, top) => {
      positions.delete(key);
      positions.set(key, top);
      const [oldest] = positions.keys();
      if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
    },
    persist: () => {
      try {
        storage?.setItem(STORAGE_KEY, JSON.stringify([...positions]));
      } catch {
        // Storage is full or blocked; the in-memory positions are enough.
      }
    },
    read: (key) => positions.get(key),
  };
}

function readPositions(storage: Pick<Storage, 'getItem'> | undefined): [string, number][] {
  try {
    const storedPositions: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(storedPositions) ? storedPositions.filter(isPosition) : [];
  } catch {
    return [];
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
