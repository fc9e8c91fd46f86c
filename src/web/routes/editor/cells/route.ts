import type { Cell } from '#contract/schemas/cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';

/** Every cell of §2, as visitors see it now. */
export type CellsData = { readonly cells: readonly Cell[] };

export const CELLS_PAGES: readonly Page[] = [
  {
    guard: 'cells.edit',
    ...orgPage(
      'pages-editor-page',
      async () => (await import('./pages-editor-page.tsx')).PagesEditorPage,
      async ({ api, params }) => ({ cells: await api.call('readCells', { params: { orgid: params.orgid } }) }),
    ),
  },
];
