import { createHash } from 'node:crypto';
import type { AppDeps } from '#server/deps.ts';
import { type HostCookie, hostCookie } from '#server/gateways/identity/cookies.ts';

/** How long a browser is recognized, in seconds: as long as the receipt's link works. */
export const OPENER_SECONDS = 30 * 24 * 60 * 60;

/** The cookie of a browser that opened checkouts. With it the browser can read more of them, and change nothing (decisions §6). */
export function openerCookie({ publicUrl }: Pick<AppDeps, 'publicUrl'>): HostCookie {
  return hostCookie('fund.opener', { publicUrl, path: '/api/orgs' });
}

/** Only the hash of a browser's secret is stored. */
export function openerHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
