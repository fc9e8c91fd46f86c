import { useEffect } from 'react';

/**
 * Gives the keyboard focus back to a control that lost it while it was disabled or out of the page, as buttons are while
 * their action runs, or because the toast that had the focus is gone. Focus that the user has moved stays where it is.
 */
export function useReturnedFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    const isInToast = (target: EventTarget | null) => target instanceof Element && target.closest('output') !== null;
    const focused = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !isInToast(target)) last = target;
    };
    const pressed = ({ target }: PointerEvent) => {
      if (!isInToast(target) && !(target instanceof Node && last?.contains(target))) last = undefined;
    };
    const changed = () => {
      if (document.activeElement !== document.body || !last?.isConnected || last.matches(':disabled')) return;
      last.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(changed);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', focused);
    document.addEventListener('pointerdown', pressed);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', pressed);
    };
  }, []);
}
