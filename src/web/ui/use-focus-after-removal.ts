import { useEffect, useRef } from 'react';

/** Moves the keyboard focus to the heading when the focused element has left the list. */
export function useFocusAfterRemoval(list: unknown): void {
  const lastList = useRef(list);
  const lastFocused = useRef<Element>(undefined);
  useEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) lastFocused.current = target;
    };
    document.addEventListener('focusin', rememberFocus);
    return () => document.removeEventListener('focusin', rememberFocus);
  }, []);
  useEffect(() => {
    const hasChanged = lastList.current !== list && !hasGrown(lastList.current, list);
    lastList.current = list;
    const isLost = document.activeElement === document.body && lastFocused.current?.isConnected === false;
    if (hasChanged && isLost) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [list]);
}

function hasGrown(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && after.length > before.length;
}
