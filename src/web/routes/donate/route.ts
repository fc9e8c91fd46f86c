import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type DonateData = { readonly cells: PageCells<'donate'> };

export const DONATE_PAGES: readonly Page[] = [
  orgPage(
    'donate-page',
    async () => (await import('./donate-page.tsx')).DonatePage,
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'donate') }),
  ),
];
