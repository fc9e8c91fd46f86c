import { type InLanguage, m } from '#messages';

/** Purposes of emailed links. A link works only for its own purpose. */
export type LinkPurpose = 'sign-in' | 'verify' | 'new-email' | 'reset';

/** Minutes until an emailed link expires (decisions §4). */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  'sign-in': 10,
  verify: 24 * 60,
  'new-email': 10,
  reset: 60,
};

/** Lifetime of a code emailed to logged-in users to confirm their identity. */
export const CONFIRMATION_CODE_MINUTES = 10;
export const CONFIRMATION_CODE_DIGITS = 6;

/** "10 minutes", "24 hours". */
export function formatLinkLifetime(purpose: LinkPurpose, options?: InLanguage): string {
  const minutes = LINK_MINUTES[purpose];
  return minutes > 60 ? m.waitHours({ count: minutes / 60 }, options) : m.waitMinutes({ count: minutes }, options);
}
