import { useEffect } from 'react';

/**
 * Returns the focus to a control that lost it because it was disabled or removed, as buttons are while their action runs,
 * or because a focused toast has disappeared. Focus that the user has moved stays where it is.
 */
export function useReturnedFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    const handleFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !isInToast(target)) last = target;
    };
    const handlePress = ({ target }: PointerEvent) => {
      if (!isInToast(target) && !(target instanceof Node && last?.contains(target))) last = undefined;
    };
    const restoreFocus = () => {
      if (document.activeElement !== document.body || !last?.isConnected || last.matches(':disabled')) return;
      last.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restoreFocus);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', handleFocus);
    document.addEventListener('pointerdown', handlePress);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', handleFocus);
      document.removeEventListener('pointerdown', handlePress);
    };
  }, []);
}

export function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('output') !== null;
}
