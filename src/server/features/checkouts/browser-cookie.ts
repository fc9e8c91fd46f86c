import { createHash } from 'node:crypto';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import type { AppDeps } from '#server/deps.ts';
import { createHostCookie, type HostCookie } from '#server/gateways/identity/cookies.ts';

/** The cookie lasts as long as the receipt's link works. */
export const BROWSER_COOKIE_SECONDS = RECEIPT_LINK_DAYS * 24 * 60 * 60;

/** Cookie of the browser that opened a checkout. Grants read access to its donor-only part (decisions §6). */
export function createBrowserCookie({ publicUrl }: Pick<AppDeps, 'publicUrl'>): HostCookie {
  return createHostCookie('fund.browser', { publicUrl, path: '/api/orgs' });
}

/** Hashes a browser's secret; only the hash is stored. */
export function hashBrowserId(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
