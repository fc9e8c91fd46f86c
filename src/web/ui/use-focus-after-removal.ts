import { useEffect, useRef } from 'react';

/** Moves the focus to the heading when the focused element was removed from the list, but not while the list loads more. */
export function useFocusAfterRemoval(list: unknown): void {
  const previous = useRef(list);
  useEffect(() => {
    const isChanged = previous.current !== list && !hasGrown(previous.current, list);
    previous.current = list;
    if (!isChanged || document.activeElement !== document.body || document.querySelector('main [aria-busy]')) return;
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [list]);
}

function hasGrown(previous: unknown, after: unknown): boolean {
  return Array.isArray(previous) && Array.isArray(after) && after.length > previous.length;
}
