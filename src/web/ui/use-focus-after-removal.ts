import { useEffect, useRef } from 'react';

/** Moves the keyboard focus to the heading when the focused element was removed from the list. */
export function useFocusAfterRemoval(list: unknown): void {
  const lastList = useRef(list);
  const lastFocusedElement = useRef<Element>(undefined);
  useEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) lastFocusedElement.current = target;
    };
    document.addEventListener('focusin', rememberFocus);
    return () => document.removeEventListener('focusin', rememberFocus);
  }, []);
  useEffect(() => {
    const hasChanged = lastList.current !== list && !hasGrown(lastList.current, list);
    lastList.current = list;
    const isFocusLost = document.activeElement === document.body && lastFocusedElement.current?.isConnected === false;
    if (hasChanged && isFocusLost) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [list]);
}

function hasGrown(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && after.length > before.length;
}
