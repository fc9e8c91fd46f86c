/** Keeps a toast where it covers no control, also once the page below it has moved or changed, until it is gone. */
export function keepFree(toast: HTMLElement): void {
  const place = () => {
    if (toast.isConnected) {
      if (!toast.matches(':hover, :focus-within')) placeFree(toast);
      return;
    }
    resized.disconnect();
    changed.disconnect();
    window.removeEventListener('scrollend', place);
  };
  const resized = new ResizeObserver(place);
  resized.observe(document.body);
  // Another page may be as high as the one before.
  const changed = new MutationObserver(place);
  changed.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('scrollend', place);
}

function placeFree(toast: HTMLElement): void {
  toast.style.translate = '';
  const { left, right, top, height } = toast.getBoundingClientRect();
  const page = document.querySelector('dialog[open]') ?? document;
  const controls = [...page.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((control) => !toast.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.left < right && box.right > left);
  toast.style.translate = `0 ${freeTop(top, height, controls) - top}px`;
}

type Box = Pick<DOMRect, 'top' | 'bottom'>;

/** How far from controls a toast stays, in pixels. */
const APART = 8;

/** Nearest position at or above `top` that covers no control; `top` if every position does. */
export function freeTop(top: number, height: number, controls: readonly Box[]): number {
  let free = top;
  for (;;) {
    const covered = controls.filter((box) => box.top < free + height + APART && box.bottom > free - APART);
    if (covered.length === 0) return free;
    free = Math.min(...covered.map((box) => box.top)) - height - 2 * APART;
    if (free < APART) return top;
  }
}
