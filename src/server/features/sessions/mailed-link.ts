import { pagePath } from '#contract/pages.ts';
import { LINK_MINUTES, type LinkPurpose } from '#domain/mailed-links.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { AppDeps } from '#server/deps.ts';
import { insertCode } from './mailed-codes.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'sign-in': pagePath('email-signin-page', {}),
  verify: pagePath('verify-email-page', {}),
  reset: pagePath('reset-password-page', {}),
};

export type LinkWish = {
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly userId?: string;
  readonly returnTo?: string | undefined;
};

/** Makes a link that works once. It does not carry the address: whoever uses it has to know it, or to be signed in. */
export async function newMailedLink(
  { db, publicUrl, now }: Pick<AppDeps, 'db' | 'publicUrl' | 'now'>,
  { purpose, email, userId, returnTo }: LinkWish,
): Promise<string> {
  const code = newSecret();
  const expiresAt = new Date(now().getTime() + LINK_MINUTES[purpose] * 60_000);
  await insertCode(db.kysely, { purpose, hash: hashOfSecret(code), email, userId, expiresAt }, now());
  const target = safeReturnTo(returnTo);
  const query = new URLSearchParams({ code, ...(target === undefined ? {} : { return_to: target }) });
  return `${publicUrl()}${PATHS[purpose]}?${query.toString()}`;
}
