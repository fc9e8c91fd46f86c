import { LANGUAGES, type Language } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export const CELLS_PAGES: readonly PageRoute[] = [
  {
    guard: 'cells.edit',
    ...orgPage(
      'pages-editor-page',
      async () => (await import('./cells-page.tsx')).CellsPage,
      async ({ api, params: { orgid: orgId } }) => {
        await Promise.all(LANGUAGES.map((language) => loadQuery(cellsQuery(api, orgId, language))));
        return {};
      },
    ),
  },
];

/** Every cell as visitors see it on pages in this language. */
export function cellsQuery(api: ApiClient, orgId: string, language: Language) {
  return callQuery(api, 'readCells', { params: { orgid: orgId }, query: { language } });
}
