/** Keeps a toast from covering controls, even if the page below it scrolls or changes. */
export function avoidControls(toast: HTMLElement): void {
  const reposition = () => {
    if (toast.isConnected) {
      if (!toast.matches(':hover, :focus-within')) moveOffControls(toast);
      return;
    }
    resizeObserver.disconnect();
    mutationObserver.disconnect();
    window.removeEventListener('scrollend', reposition);
  };
  const resizeObserver = new ResizeObserver(reposition);
  resizeObserver.observe(document.body);
  // The resize observer misses a switch to another page of the same height.
  const mutationObserver = new MutationObserver(reposition);
  mutationObserver.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('scrollend', reposition);
  // The mouse may already be over it: on the button that was just pressed.
  moveOffControls(toast);
}

function moveOffControls(toast: HTMLElement): void {
  toast.style.translate = '';
  const { left, right, top, height } = toast.getBoundingClientRect();
  const dialog = toast.closest('dialog');
  const controls = [...(dialog ?? document).querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((control) => !toast.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.left < right && box.right > left);
  // The buttons of a dialog are at its bottom, so a dialog full of fields shows its toasts over its title.
  const newTop = findFreeTop(top, height, controls) ?? (dialog ? MARGIN : top);
  toast.style.translate = `0 ${newTop - top}px`;
}

type Box = Pick<DOMRect, 'top' | 'bottom'>;

/** Minimum distance between a toast and controls, in pixels. */
const MARGIN = 8;

/** Nearest position at or above `top` that covers no control; undefined if every position does. */
export function findFreeTop(top: number, height: number, controls: readonly Box[]): number | undefined {
  let candidateTop = top;
  for (;;) {
    const coveredControls = controls.filter(
      (box) => box.top < candidateTop + height + MARGIN && box.bottom > candidateTop - MARGIN,
    );
    if (coveredControls.length === 0) return candidateTop;
    candidateTop = Math.min(...coveredControls.map((box) => box.top)) - height - 2 * MARGIN;
    if (candidateTop < MARGIN) return undefined;
  }
}
