import { CELL_COUNT, type CellRef } from '#domain/cells.ts';
import { LANGUAGES, type Language } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const CELLS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('pages-editor-page', {
    can: 'cells.edit',
    component: async () => (await import('./cells-page.tsx')).CellsPage,
    load: ({ api, params }) =>
      Promise.all(LANGUAGES.map((language) => loadQuery(cellsQuery(api, params.orgid, language)))),
  }),
];

/** The cell's id on the page, for a link that expands it. */
export function cellId({ page, name }: CellRef): string {
  return `${page}-${name}`;
}

/** All cells as visitors see them on pages in this language. */
export function cellsQuery(api: ApiClient, orgId: string, language: Language) {
  return callQuery(api, 'readCells', { params: { orgid: orgId }, query: { language, max: CELL_COUNT } });
}
