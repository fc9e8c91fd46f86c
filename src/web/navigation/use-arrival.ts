import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isSamePath, readAddress } from './address.ts';
import type { NavigatorState } from './navigator.ts';

/**
 * After navigation: restores the scroll position and focuses the page's heading, so keyboard users continue there and
 * screen readers announce it. Focus does not move on first load, or when only the query or hash changes.
 */
export function useArrival(
  { entry, arrival, keepsScroll }: NavigatorState<object>,
  main: RefObject<HTMLElement | null>,
) {
  const before = useRef(entry.address);
  useScrollRestoration({ entry, arrival, keepsScroll });
  useEffect(() => {
    const pathChanged = !isSamePath(entry.address, before.current);
    before.current = entry.address;
    if (!pathChanged) return;
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current;
    heading?.focus({ preventScroll: true });
  }, [entry, main]);
}

function useScrollRestoration({
  entry,
  arrival,
  keepsScroll,
}: Pick<NavigatorState<object>, 'entry' | 'arrival' | 'keepsScroll'>) {
  const memory = useRef<ScrollMemory>(undefined);
  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);
  useLayoutEffect(() => {
    memory.current ??= scrollMemory(tabStorage());
    const { current } = memory;
    const place = placeFor({ entry, arrival, keepsScroll }, current);
    if (place instanceof Element) place.scrollIntoView({ behavior: 'instant' });
    else if (place !== undefined) window.scrollTo({ top: place, behavior: 'instant' });
    const save = () => current.save(entry.key, window.scrollY);
    window.addEventListener('scroll', save, { passive: true });
    window.addEventListener('pagehide', current.store);
    return () => {
      window.removeEventListener('scroll', save);
      window.removeEventListener('pagehide', current.store);
    };
  }, [entry, arrival, keepsScroll]);
}

/** An element, which ends up below the sticky header, or pixels from the top; undefined if the page should not scroll. */
function placeFor(
  { entry, arrival, keepsScroll }: Pick<NavigatorState<object>, 'entry' | 'arrival' | 'keepsScroll'>,
  memory: ScrollMemory,
): Element | number | undefined {
  const remembered = memory.read(entry.key);
  if (arrival === 'back-or-forward' || arrival === 'first') {
    if (remembered !== undefined) return remembered;
  }
  const target = targetOf(readAddress(entry.address).hash);
  return target ?? (arrival === 'first' || keepsScroll ? undefined : 0);
}

function targetOf(hash: string): HTMLElement | null {
  return hash.length > 1 ? document.getElementById(idIn(hash)) : null;
}

/** The id in "#questions"; as it stands if it is not encoded, as in "#%". */
export function idIn(hash: string): string {
  const id = hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

const STORED_AS = 'scroll-positions';
const MAX_POSITIONS = 50;

/** How far down each visited page was scrolled, even across reloads. */
type ScrollMemory = {
  readonly save: (key: string, top: number) => void;
  /** Saves the positions to sessionStorage for the next document in this tab. */
  readonly store: () => void;
  /** Pixels from the top; undefined if the page was never left. */
  readonly read: (key: string) => number | undefined;
};

/** @param storage sessionStorage; if it is unavailable, positions last as long as the document */
export function scrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): ScrollMemory {
  const positions = new Map<string, number>(readStored(storage));
  return {
    save: (key, top) => {
      positions.delete(key);
      positions.set(key, top);
      const [oldest] = positions.keys();
      if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
    },
    store: () => {
      try {
        storage?.setItem(STORED_AS, JSON.stringify([...positions]));
      } catch {
        // Storage is full or blocked; the in-memory positions suffice.
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
