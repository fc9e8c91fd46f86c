import { useEffect, useRef } from 'react';

/** The keyboard goes on at the heading where what had the focus has gone from the list. */
export function useFocusKept(list: unknown): void {
  const before = useRef(list);
  useEffect(() => {
    if (before.current !== list && document.activeElement === document.body) {
      // Without moving the page: who presses with a pointer goes on where that is.
      document.querySelector('h1')?.focus({ preventScroll: true });
    }
    before.current = list;
  }, [list]);
}
