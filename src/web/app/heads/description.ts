import type { PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { cutText } from '#domain/cut-text.ts';
import type { DescribedPage } from './described-page.ts';
import { paragraphText } from './plain-text.ts';

/** As many characters as search engines show. */
export const DESCRIPTION_LENGTH = 155;

/** What a page says of itself where nothing is known of it. */
export const GENERAL = 'Estimate the carbon of a trip or a home, offset it, and help a neighbor keep warm.';

/** What somebody who has not been there reads of a page: its story, its introduction, or a sentence of ours. */
export function descriptionOf({ name, org, data: { profile, intro, cells } }: DescribedPage): string {
  const words = profile ? profile.story : (OURS[name]?.(org) ?? paragraphText((intro ?? cells?.intro)?.html ?? ''));
  return cutText(words, DESCRIPTION_LENGTH) || GENERAL;
}

/** Of pages without an introduction. */
const OURS: Partial<Record<PageName, (org: Org) => string>> = {
  'about-page': ({ name }) => `What ${name} does with offsets and donations, whose program it is, and how to reach it.`,
  'faqs-page': ({ name }) =>
    `Questions about ${name} and their answers: offsets, donations, and the grants they become.`,
  'qrcode-page': ({ name }) => `A code to scan, print or share that leads to ${name}.`,
  'future-awardees-page': ({ name }) =>
    `How the grants of ${name} will help households warm their homes, and how to apply.`,
};
