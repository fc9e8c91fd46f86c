import type { Cell } from '#contract/schemas/cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type CellsData = { readonly cells: readonly Cell[] };

export const CELLS_PAGES: readonly Page[] = [
  {
    guard: 'cells.edit',
    ...orgPage(
      'pages-editor-page',
      async () => (await import('./cells-page.tsx')).CellsPage,
      async ({ api, params }) => ({ cells: await api.call('readCells', { params: { orgid: params.orgid } }) }),
    ),
  },
];
