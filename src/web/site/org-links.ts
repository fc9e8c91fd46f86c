import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { m } from '#messages';
import type { ExtendedIconName } from '#web/ui/extended-icon.tsx';

export type SiteLink = { readonly label: string; readonly to: string; readonly icon: ExtendedIconName };

/** Links to the awardees, or to the future awardees while there are none (decisions §8). */
function awardeesLink(org: Pick<Org, 'id' | 'noAwardees'>): SiteLink {
  const params = { orgid: org.id };
  return org.noAwardees
    ? { label: m.navFutureAwardees(), to: pagePath('future-awardees-page', params), icon: 'medal' }
    : { label: m.navAwardees(), to: pagePath('awardees-page', params), icon: 'medal' };
}

/** The links of the header (§2). */
export function headerLinks(org: Pick<Org, 'id' | 'noAwardees'>): SiteLink[] {
  const params = { orgid: org.id };
  return [
    { label: m.navOffsetters(), to: pagePath('offsetters-page', params), icon: 'people' },
    awardeesLink(org),
    { label: m.navInstallers(), to: pagePath('installers-page', params), icon: 'tools' },
    { label: m.navFaqs(), to: pagePath('faqs-page', params), icon: 'question' },
  ];
}
