import type { CellName, CellPage } from './cells.ts';
import { defaultFaq } from './default-faq.ts';
import { Failure } from './failures.ts';

const homeIntro = `## Carbon you emit, homes we warm

Estimate what a trip, a drive or a year of heating emits, then offset it right here in town. Your gift becomes part of a grant that helps a neighbor insulate, seal drafts and heat without burning fuel.

- Grants go to low-to-moderate income households for insulation, air sealing and heat pumps.
- Grants pay $25 for each ton of carbon the work will save over its lifetime.
- You get a receipt for every gift, and it counts in the totals below.
`;

const homeCommunity = `## Neighbors who give, neighbors who get warm

Offsetters say why they give. Installers do the work. Awardees live with the difference.
`;

const homeCity = `## Where a grant goes

Grants help pay for the work that cuts the most carbon: **1** attic insulation, **2** sealed windows and doors, **3** a heat pump, and with them **4** rooms that stay warm through January.

The carbon stays down year after year, and so do the heating bills. That’s why we start with the homes where a heating bill hurts most.
`;

const offsettersIntro = `## Offsetters

These neighbors added up what a flight, a drive or a furnace emits and paid to cut that much carbon here in the city. Here’s why, in their own words.
`;

const awardeesIntro = `## Awardees

A grant from the fund helped each of these households insulate, seal drafts or change how they heat. Every story here is shared with the household’s consent.
`;

const installersIntro = `## Installers

Crawl spaces, attics and basements: this is where carbon savings are made. Meet the people who measure, seal, insulate and install.
`;

const donateIntro = `## Help warm a home

No flight to offset? You can still help. A donation goes into the same grants: insulation, air sealing and heat pumps for low-to-moderate income households in our city.

Pick an amount or enter your own. Give once, or make it monthly or yearly and stop whenever you like. You get a receipt for every gift.
`;

const donateChecks = `All of your check reaches the fund: no card fees. Write the fund’s name on the memo line. When your check arrives, we add it to the fund’s totals and send you a receipt.
`;

const aboutIntro = `We turn carbon offsets and donations into home energy grants for low-to-moderate income households. You can estimate what a trip, a drive or a home emits, offset it, and read the stories of the people who give, the people who do the work, and the people whose homes stay warm.
`;

const checkoutAsk = `Your gift will help warm a home in our city, and a receipt is on its way to you.

Would you tell your neighbors why you gave? A name, a few sentences and a photo become your own page among our offsetters. A reason in a neighbor’s own words is what brings in the next person. Your email address is never shown, and you can choose to appear by first name only, or not at all.
`;

/** Also shown when a checkout expired unpaid (§4: over), so it must not say that money was received. */
const checkoutThanks = `Thank you for caring about how your neighbors keep warm.

We email a receipt for every gift that goes through, usually within a few minutes. If yours doesn’t arrive, check your spam folder first, then write to us at the contact address on the About page and we’ll find it.
`;

const defaults: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: { tag: 'Warm homes are climate action', intro: homeIntro, community: homeCommunity, city: homeCity },
  offsetters: { intro: offsettersIntro },
  awardees: { intro: awardeesIntro },
  installers: { intro: installersIntro },
  faq: { questions: defaultFaq },
  donate: { intro: donateIntro, checks: donateChecks },
  about: { intro: aboutIntro },
  checkout: { ask: checkoutAsk, thanks: checkoutThanks },
};

/**
 * The markdown that a cell of §2 shows until an editor changes it; for home/tag, plain text.
 * @throws Failure no-cell if the page has no such cell
 */
export function defaultCell(page: CellPage, name: CellName): string {
  const cells: Readonly<Partial<Record<CellName, string>>> = defaults[page];
  const markdown = cells[name];
  if (markdown === undefined) throw new Failure('no-cell');
  return markdown;
}
