import { useEffect, useRef } from 'react';

/** Moves the keyboard focus to the heading when the focused element has left the list, though not while more is loaded. */
export function useKeptFocus(list: unknown): void {
  const before = useRef(list);
  useEffect(() => {
    const changed = before.current !== list && !hasGrown(before.current, list);
    before.current = list;
    if (!changed || document.activeElement !== document.body || document.querySelector('main [aria-busy]')) return;
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [list]);
}

function hasGrown(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && after.length > before.length;
}
