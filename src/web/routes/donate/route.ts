import type { Profile } from '#contract/schemas/stories.ts';
import type { CardFee } from '#domain/card-fee.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { loadStories } from '#web/stories/story-kinds.ts';

export type DonateData = {
  readonly cells: PageCells<'donate'>;
  readonly cardFee: CardFee | null;
  /** The newest awardee; undefined if it can't be read. */
  readonly newestAwardee: Profile | undefined;
  /** The donation in the cart to edit. */
  readonly editedId: number | undefined;
  /** The suggested amount in the address. Untrusted. */
  readonly preset: string | undefined;
};

export const DONATE_PAGES: readonly PageRoute[] = [
  orgPage(
    'donate-page',
    async () => (await import('./donate-page.tsx')).DonatePage,
    async ({ api, params, search }) => {
      const [cells, { cardFee }, awardees] = await Promise.all([
        loadCells(api, params.orgid, 'donate'),
        api.call('readCardFee', {}),
        loadStories(api, params.orgid, 'awardees', { max: 1 }).catch(() => undefined),
      ]);
      return { cells, cardFee, newestAwardee: awardees?.items[0], ...readSearch(search) };
    },
    readSearch,
  ),
];

function readSearch({ edit, amount }: Search): Pick<DonateData, 'editedId' | 'preset'> {
  return { editedId: Number(edit) || undefined, preset: amount };
}
