import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus to the heading of the page that a navigation led to, so that the keyboard goes on from there and a
 * screen reader says where it is. Not on the first page, and not when only the search or the hash changed.
 */
export function useHeadingFocus(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current;
        heading?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
