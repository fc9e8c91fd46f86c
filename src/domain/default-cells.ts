import type { CellName, CellPage } from './cells.ts';
import { checkoutAsk, checkoutThanks } from './default-cells/checkout.ts';
import { donateChecks, donateIntro } from './default-cells/donate.ts';
import { faqQuestions } from './default-cells/faq.ts';
import { homeCity, homeCommunity, homeIntro, homeTag } from './default-cells/home.ts';
import { awardeesIntro, installersIntro, offsettersIntro } from './default-cells/story-lists.ts';
import { Failure } from './failures.ts';

const defaults: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: { tag: homeTag, intro: homeIntro, community: homeCommunity, city: homeCity },
  offsetters: { intro: offsettersIntro },
  awardees: { intro: awardeesIntro },
  installers: { intro: installersIntro },
  faq: { questions: faqQuestions },
  donate: { intro: donateIntro, checks: donateChecks },
  checkout: { ask: checkoutAsk, thanks: checkoutThanks },
};

/**
 * The markdown a cell of §2 shows until an editor saves another; for home/tag, plain text.
 * @throws Failure no-cell, for a name that the page does not have
 */
export function defaultCell(page: CellPage, name: CellName): string {
  const ofPage: Readonly<Partial<Record<CellName, string>>> = defaults[page];
  const markdown = ofPage[name];
  if (markdown === undefined) throw new Failure('no-cell');
  return markdown;
}
