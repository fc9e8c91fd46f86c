import { type RefObject, useEffect } from 'react';
import { getTopDialog } from './dialog-stack.ts';

/**
 * Moves the focus when the focused element disappears, such as a deleted row: to the heading of its dialog, section, or
 * page. Otherwise, keyboard and screen reader users would start over at the top of the document.
 */
export function useFocusAfterRemoval(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    /** The focused element, followed by its ancestors. */
    let focusPath: readonly Element[] = [];
    const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;
    const rememberFocus = (event: FocusEvent) => {
      focusPath = event.composedPath().filter((target) => target instanceof Element);
    };
    // Some browsers also fire `focusout` when they remove the focused element.
    const forgetFocus = () =>
      queueMicrotask(() => {
        if (isFocusLost() && focusPath[0]?.isConnected) focusPath = [];
      });
    const restoreFocus = () => {
      if (!isFocusLost() || focusPath[0]?.isConnected !== false) return;
      const target = findNearestHeading(focusPath, main.current);
      focusPath = [];
      if (!target) return;
      if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
      target.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restoreFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', rememberFocus);
    document.addEventListener('focusout', forgetFocus);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', rememberFocus);
      document.removeEventListener('focusout', forgetFocus);
    };
  }, [main]);
}

/** @returns the dialog or page itself if it has no heading */
function findNearestHeading(focusPath: readonly Element[], main: HTMLElement | null): HTMLElement | null {
  const survivor = focusPath.find(({ isConnected }) => isConnected);
  // Everything outside a dialog is inert.
  const dialog = getTopDialog()?.toastRegion?.closest('dialog');
  const part = dialog ?? survivor?.closest<HTMLElement>('section[aria-labelledby]') ?? main;
  return part?.querySelector<HTMLElement>('h1, h2, h3') ?? part;
}
