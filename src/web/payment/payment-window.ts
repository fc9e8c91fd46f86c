/** A window that the payment page will be shown in, opened before its address is known. */
export type PaymentWindow = {
  /** Shows the payment page. @returns false when the window was blocked, or has been closed meanwhile */
  goTo(url: string): boolean;
  close(): void;
  /**
   * Whether it seems to be open. A payment page may cut itself off from whoever opened it
   * (Cross-Origin-Opener-Policy), and then it seems closed although it is not.
   */
  isOpen(): boolean;
  /** Calls back once it seems to be closed. @returns how to stop watching */
  whenClosed(told: () => void): () => void;
};

/** No event tells that a window was closed: it is looked at this often. */
const WATCH_MS = 1000;

/**
 * Opens the window for the payment page. To be called in the click itself: a window that is opened after an answer of
 * the server has come looks to a browser like one that nobody asked for.
 */
export function openPaymentWindow(): PaymentWindow {
  const opened = window.open('', '_blank');
  if (opened) prepare(opened);
  const isOpen = () => opened !== null && !opened.closed;
  return {
    goTo: (url) => {
      if (!opened || opened.closed) return false;
      opened.location.replace(url);
      return true;
    },
    close: () => opened?.close(),
    isOpen,
    whenClosed: (told) => {
      const timer = setInterval(() => {
        if (isOpen()) return;
        clearInterval(timer);
        told();
      }, WATCH_MS);
      return () => clearInterval(timer);
    },
  };
}

function prepare(opened: Window): void {
  // The payment page must not reach back into this one.
  opened.opener = null;
  const { document } = opened;
  const words = 'Opening the payment page…';
  document.documentElement.lang = 'en';
  document.title = words;
  document.body.append(words);
}
