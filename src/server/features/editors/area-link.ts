import { pagePath } from '#contract/pages.ts';

/** To sign in, and on to an organisation's editors' area. */
export function areaLink(publicUrl: string, orgid: string): string {
  const returnTo = encodeURIComponent(pagePath('overview-page', { orgid }));
  return `${publicUrl}${pagePath('login-page', {})}?return_to=${returnTo}`;
}
