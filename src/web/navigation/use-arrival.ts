import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isSamePath, readAddress } from './address.ts';
import type { NavigatorState } from './navigator.ts';

/**
 * What happens when another screen has come: the place in the page is the right one, and the focus is on the heading
 * of the page, so that the keyboard goes on from there and a screen reader says where it is. Not for the first page,
 * and not when only the search or the hash changed.
 */
export function useArrival(
  { entry, arrival, keepsScroll }: NavigatorState<object>,
  main: RefObject<HTMLElement | null>,
) {
  const before = useRef(entry.address);
  useScrollPlace({ entry, arrival, keepsScroll });
  useEffect(() => {
    const isAnother = !isSamePath(entry.address, before.current);
    before.current = entry.address;
    if (!isAnother) return;
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current;
    heading?.focus({ preventScroll: true });
  }, [entry, main]);
}

function useScrollPlace({
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
    if (place !== undefined) window.scrollTo({ top: place, behavior: 'instant' });
    const save = () => current.save(entry.key, window.scrollY);
    window.addEventListener('scroll', save, { passive: true });
    window.addEventListener('pagehide', current.store);
    return () => {
      window.removeEventListener('scroll', save);
      window.removeEventListener('pagehide', current.store);
    };
  }, [entry, arrival, keepsScroll]);
}

/** Pixels from the top; nothing when the page stays where it is. */
function placeFor(
  { entry, arrival, keepsScroll }: Pick<NavigatorState<object>, 'entry' | 'arrival' | 'keepsScroll'>,
  memory: ScrollMemory,
): number | undefined {
  const remembered = memory.read(entry.key);
  if (arrival === 'back-or-forward' || arrival === 'first') {
    if (remembered !== undefined) return remembered;
  }
  const target = targetOf(readAddress(entry.address).hash);
  if (target) return target.getBoundingClientRect().top + window.scrollY - scrollMarginOf(target);
  return arrival === 'first' || keepsScroll ? undefined : 0;
}

function targetOf(hash: string): HTMLElement | null {
  return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
}

function scrollMarginOf(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
}

function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

const STORED_AS = 'scroll-positions';
const MOST = 50;

/** Remembers how far down each visited page was scrolled, also over a reload. */
type ScrollMemory = {
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
