import type { Profile } from '#contract/schemas/stories.ts';
import type { CardFee } from '#domain/card-fee.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { loadStories } from '#web/stories/story-kinds.ts';

export type DonateData = {
  readonly cells: PageCells<'donate'>;
  readonly cardFee: CardFee | null;
  /** The newest awardee; the page does without it where it cannot be read. */
  readonly home: Profile | undefined;
  /** The donation in the cart that is changed. */
  readonly editedId: number | undefined;
  /** The amount that the address suggests, which anyone can make up. */
  readonly preset: string | undefined;
};

export const DONATE_PAGES: readonly Page[] = [
  orgPage(
    'donate-page',
    async () => (await import('./donate-page.tsx')).DonatePage,
    async ({ api, params, search }) => {
      const [cells, { cardFee }, awardees] = await Promise.all([
        loadCells(api, params.orgid, 'donate'),
        api.call('readCardFee', {}),
        loadStories(api, params.orgid, 'awardees', { max: 1 }).catch(() => undefined),
      ]);
      return { cells, cardFee, home: awardees?.items[0], ...chosen(search) };
    },
    chosen,
  ),
];

function chosen({ edit, amount }: Search): Pick<DonateData, 'editedId' | 'preset'> {
  return { editedId: Number(edit) || undefined, preset: amount };
}
