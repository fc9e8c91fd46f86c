import type { CardFee } from '#domain/card-fee.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type DonateData = {
  readonly cells: PageCells<'donate'>;
  readonly cardFee: CardFee | null;
  /** The donation in the cart that is changed. */
  readonly editedId: number | undefined;
};

export const DONATE_PAGES: readonly Page[] = [
  orgPage(
    'donate-page',
    async () => (await import('./donate-page.tsx')).DonatePage,
    async ({ api, params, search }) => {
      const [cells, { cardFee }] = await Promise.all([
        loadCells(api, params.orgid, 'donate'),
        api.call('readCardFee', {}),
      ]);
      return { cells, cardFee, editedId: idOf(search.edit) };
    },
    ({ edit }) => ({ editedId: idOf(edit) }),
  ),
];

function idOf(text: string | undefined): number | undefined {
  return Number(text) || undefined;
}
