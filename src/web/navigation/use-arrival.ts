import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isSamePath, readAddress } from './address.ts';
import type { Standing } from './navigator.ts';
import { type ScrollMemory, scrollMemory } from './scroll-memory.ts';

/**
 * What happens when another screen has come: the place in the page is the right one, and the focus is on the heading
 * of the page, so that the keyboard goes on from there and a screen reader says where it is. Not for the first page,
 * and not when only the search or the hash changed.
 */
export function useArrival({ entry, arrival, keepsScroll }: Standing<object>, main: RefObject<HTMLElement | null>) {
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

function useScrollPlace({ entry, arrival, keepsScroll }: Pick<Standing<object>, 'entry' | 'arrival' | 'keepsScroll'>) {
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
  { entry, arrival, keepsScroll }: Pick<Standing<object>, 'entry' | 'arrival' | 'keepsScroll'>,
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
