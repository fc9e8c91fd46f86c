import { pagePath } from '#contract/pages.ts';

/** The page that says that a sign-in link was sent (§2), and remembers where the way leads afterwards. */
export function sentLinkAddress(email: string, returnTo: string | undefined): string {
  const query = new URLSearchParams({ email, ...(returnTo === undefined ? {} : { return_to: returnTo }) });
  return `${pagePath('sent-link-page', {})}?${query}`;
}
