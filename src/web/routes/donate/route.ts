import type { Profile } from '#contract/schemas/stories.ts';
import type { CardFee } from '#domain/card-fee.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { getOtherLanguage, loadStories } from '#web/stories/story-kinds.ts';

export type DonateData = {
  readonly cells: PageCells<'donate'>;
  readonly cardFee: CardFee | null;
  /** The newest awardee. Undefined if there are no awardees, or if they can't be loaded. */
  readonly awardee: Profile | undefined;
  /** The donation in the cart to edit. */
  readonly editedId: number | undefined;
  /** The suggested amount in the address. Untrusted. */
  readonly amountText: string | undefined;
};

/** Usually enough to include a story in the page's language. */
const MAX_AWARDEES = 3;

export const DONATE_PAGES: readonly PageRoute[] = [
  orgPage(
    'donate-page',
    async () => (await import('./donate-page.tsx')).DonatePage,
    async ({ api, params, search }) => {
      const [cells, { cardFee }, awardees] = await Promise.all([
        loadCells(api, params.orgid, 'donate'),
        api.call('readCardFee', {}),
        loadStories(api, params.orgid, 'awardees', { max: MAX_AWARDEES }).catch(() => undefined),
      ]);
      return { cells, cardFee, awardee: pickAwardee(awardees?.items ?? []), ...readSearch(search) };
    },
    readSearch,
  ),
];

/** The newest awardee with a story in the page's language; otherwise the newest one. */
function pickAwardee(newestAwardees: readonly Profile[]): Profile | undefined {
  return newestAwardees.find((awardee) => getOtherLanguage(awardee) === undefined) ?? newestAwardees[0];
}

function readSearch({ edit, amount }: Search): Pick<DonateData, 'editedId' | 'amountText'> {
  return { editedId: Number(edit) || undefined, amountText: amount };
}
