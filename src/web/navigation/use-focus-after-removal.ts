import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus when the focused element disappears, such as a deleted row: to the heading of its dialog, section, or
 * page. Otherwise, keyboard and screen reader users would start over at the top of the document. The code loads with the
 * first focus.
 */
export function useFocusAfterRemoval(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = (event: FocusEvent) => {
      // The path is empty after the event.
      const path = event.composedPath();
      import('./restore-focus.ts').then(
        ({ restoreFocusAfterRemoval }) => restoreFocusAfterRemoval(main, path, signal),
        // If the code can't be loaded, the browser decides where the focus goes.
        () => undefined,
      );
    };
    document.addEventListener('focusin', load, { once: true, signal });
    return () => controller.abort();
  }, [main]);
}
