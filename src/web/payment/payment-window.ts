import { LANGUAGE, m } from '#messages';

/** The window for the payment page, which opens before its address is known. */
export type PaymentWindow = {
  /** @returns false if the window was blocked, or has been closed */
  goTo(url: string): boolean;
  close(): void;
  /**
   * Whether it seems to be open. A payment page may cut its connection to this window (Cross-Origin-Opener-Policy);
   * then it seems to be closed although it is not.
   */
  isOpen(): boolean;
  /** Calls back once it seems to be closed. @returns a function that stops watching */
  whenClosed(onClosed: () => void): () => void;
};

/** There is no event for a closed window, so it is polled. */
const WATCH_MS = 1000;

/** To be called in the click handler: browsers block windows that open later, after the server has answered. */
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
    whenClosed: (onClosed) => {
      const timer = setInterval(() => {
        if (isOpen()) return;
        clearInterval(timer);
        onClosed();
      }, WATCH_MS);
      return () => clearInterval(timer);
    },
  };
}

function prepare(opened: Window): void {
  // The payment page must have no access to this window.
  opened.opener = null;
  const { document } = opened;
  const text = m.openingPayment();
  document.documentElement.lang = LANGUAGE;
  document.title = text;
  document.body.append(text);
}
