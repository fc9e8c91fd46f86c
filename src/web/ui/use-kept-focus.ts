import { useEffect, useRef } from 'react';

/** Moves the keyboard focus to the heading when the focused element has left the list. */
export function useKeptFocus(list: unknown): void {
  const before = useRef(list);
  useEffect(() => {
    if (before.current !== list && document.activeElement === document.body) {
      document.querySelector('h1')?.focus({ preventScroll: true });
    }
    before.current = list;
  }, [list]);
}
