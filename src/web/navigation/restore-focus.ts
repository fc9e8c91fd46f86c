import type { RefObject } from 'react';
import { getTopDialog } from './dialog-stack.ts';

/**
 * Focuses the nearest heading whenever the focused element disappears.
 * @param path the targets of the latest `focusin` event
 * @param signal stops it
 */
export function restoreFocusAfterRemoval(
  main: RefObject<HTMLElement | null>,
  path: readonly EventTarget[],
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  /** The focused element, followed by its ancestors. */
  let focusPath = onlyElements(path);
  const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;
  const rememberFocus = (event: FocusEvent) => {
    focusPath = onlyElements(event.composedPath());
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
  signal.addEventListener('abort', () => observer.disconnect());
  document.addEventListener('focusin', rememberFocus, { signal });
  document.addEventListener('focusout', forgetFocus, { signal });
  // The element may have disappeared while this code loaded.
  restoreFocus();
}

function onlyElements(path: readonly EventTarget[]): readonly Element[] {
  return path.filter((target) => target instanceof Element);
}

/** @returns the dialog or page itself if it has no heading */
function findNearestHeading(focusPath: readonly Element[], main: HTMLElement | null): HTMLElement | null {
  const survivor = focusPath.find(({ isConnected }) => isConnected);
  // Everything outside a dialog is inert.
  const dialog = getTopDialog()?.toastRegion?.closest('dialog');
  const part = dialog ?? survivor?.closest<HTMLElement>('section[aria-labelledby]') ?? main;
  return part?.querySelector<HTMLElement>('h1, h2, h3') ?? part;
}
