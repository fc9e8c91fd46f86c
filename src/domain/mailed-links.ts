/** What a mailed link is for. One of a purpose is refused for every other. */
export type LinkPurpose = 'sign-in' | 'verify' | 'reset';

/** Minutes that a mailed link lives (decisions §4). */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = { 'sign-in': 10, verify: 24 * 60, reset: 60 };

/** "10 minutes", "24 hours": how long a link lives, as mails and pages say it. */
export function linkLife(purpose: LinkPurpose): string {
  const minutes = LINK_MINUTES[purpose];
  return minutes > 60 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
