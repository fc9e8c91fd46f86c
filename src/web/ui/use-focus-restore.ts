import { useEffect } from 'react';

/**
 * Restores focus to a control that lost it when it was disabled or replaced, such as a button during its action, or
 * when a focused toast closed. Doesn't change focus that the user has moved.
 */
export function useFocusRestore(): void {
  useEffect(() => {
    let lastFocused: HTMLElement | undefined;
    const handleFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !isInToast(target)) lastFocused = target;
    };
    const handlePress = ({ target }: PointerEvent) => {
      if (!isInToast(target) && !(target instanceof Node && lastFocused?.contains(target))) lastFocused = undefined;
    };
    const restoreFocus = () => {
      if (document.activeElement !== document.body || !lastFocused?.isConnected || lastFocused.matches(':disabled'))
        return;
      lastFocused.focus({ preventScroll: true });
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
  return target instanceof Element && target.closest('[popover]') !== null;
}
