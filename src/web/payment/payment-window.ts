import { LANGUAGE, m } from '#messages';

/** The payment page's window, which opens before the page's address is known. */
export type PaymentWindow = {
  /** @returns false if the window was blocked, or has been closed */
  goTo(url: string): boolean;
  close(): void;
  /**
   * True if the window seems to be open. A payment page may cut its connection to this page
   * (Cross-Origin-Opener-Policy); the window then seems closed although it isn't.
   */
  isOpen(): boolean;
  /** Calls `onClosed` once the window seems to be closed. @returns a function that stops watching */
  whenClosed(onClosed: () => void): () => void;
};

/** Browsers don't report that another window was closed, so its state is polled. */
const POLL_INTERVAL_MS = 1000;

/**
 * Opens the window. Must be called in the click handler, because browsers block windows that open after the server's
 * response.
 */
export function openPaymentWindow(): PaymentWindow {
  const tab = window.open('', '_blank');
  if (tab) prepareTab(tab);
  const isOpen = () => tab !== null && !tab.closed;
  return {
    goTo: (url) => {
      if (!tab || tab.closed) return false;
      tab.location.replace(url);
      return true;
    },
    close: () => tab?.close(),
    isOpen,
    whenClosed: (onClosed) => {
      const timer = setInterval(() => {
        if (isOpen()) return;
        clearInterval(timer);
        onClosed();
      }, POLL_INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };
}

function prepareTab(tab: Window): void {
  // The payment page must have no access to this window.
  tab.opener = null;
  const { document } = tab;
  const text = m.openingPayment();
  document.documentElement.lang = LANGUAGE;
  document.title = text;
  document.body.append(text);
  const viewport = document.createElement('meta');
  viewport.name = 'viewport';
  viewport.content = 'width=device-width';
  document.head.append(viewport);
  applyPageLook(document.body.style);
}

/** Uses the site's tokens. Styles set by a script don't need an exception from the content security policy. */
function applyPageLook(style: CSSStyleDeclaration): void {
  const siteStyle = getComputedStyle(window.document.documentElement);
  style.margin = siteStyle.getPropertyValue('--space-5');
  style.fontFamily = siteStyle.getPropertyValue('--font-body');
  style.color = siteStyle.getPropertyValue('--on-dark');
  style.backgroundColor = siteStyle.getPropertyValue('--night');
}
