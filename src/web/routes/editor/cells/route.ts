import type { Cell } from '#contract/schemas/cells.ts';
import { LANGUAGES, type Language } from '#messages';
import { orgPage, type Page } from '#web/site/page.ts';

/** Every cell as visitors see it, for each language. */
export type CellsData = { readonly texts: readonly { readonly language: Language; readonly cells: readonly Cell[] }[] };

export const CELLS_PAGES: readonly Page[] = [
  {
    guard: 'cells.edit',
    ...orgPage(
      'pages-editor-page',
      async () => (await import('./cells-page.tsx')).CellsPage,
      async ({ api, params: { orgid } }) => ({
        texts: await Promise.all(
          LANGUAGES.map(async (language) => ({
            language,
            cells: await api.call('readCells', { params: { orgid }, query: { language } }),
          })),
        ),
      }),
    ),
  },
];
