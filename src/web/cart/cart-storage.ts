import { type BrowserText, browserText } from '#web/api/browser-text.ts';

/** Where one organisation's cart is kept. */
export type CartStorage = BrowserText;

/** The browser's own storage, by organisation. */
export function browserCartStorage(orgId: string): CartStorage {
  return browserText(`cart:${orgId}`);
}
