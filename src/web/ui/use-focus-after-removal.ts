import { useEffect, useRef } from 'react';
import { isInToast } from './use-focus-restore.ts';

/**
 * Moves the keyboard focus to the heading when the focused element has left the list. `useFocusRestore` handles a button
 * that is only disabled, and the focus of a toast that closes.
 */
export function useFocusAfterRemoval(list: unknown): void {
  const lastList = useRef(list);
  const lastFocused = useRef<Element>(undefined);
  useEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && !isInToast(target)) lastFocused.current = target;
    };
    document.addEventListener('focusin', rememberFocus);
    return () => document.removeEventListener('focusin', rememberFocus);
  }, []);
  useEffect(() => {
    const hasChanged = lastList.current !== list && !hasGrown(lastList.current, list);
    lastList.current = list;
    const isLost = document.activeElement === document.body && lastFocused.current?.isConnected === false;
    if (!hasChanged || !isLost || document.querySelector('main [aria-busy]')) return;
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [list]);
}

function hasGrown(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && after.length > before.length;
}
