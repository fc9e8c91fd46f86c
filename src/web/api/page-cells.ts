import type { Cell } from '#contract/schemas/cells.ts';
import { CELLS, type CellName, type CellPage } from '#domain/cells.ts';
import { LANGUAGE, LANGUAGES } from '#messages';
import type { ApiClient } from './client.ts';

/** The editable texts of a page, by name. */
export type PageCells<Page extends CellPage> = Readonly<Record<CellName<Page>, Cell>>;

export async function loadCells<Page extends CellPage>(
  api: ApiClient,
  orgId: string,
  page: Page,
): Promise<PageCells<Page>> {
  const cells = await api.call('readCells', {
    params: { orgid: orgId },
    query: { page, ...(LANGUAGE === LANGUAGES[0] ? {} : { language: LANGUAGE }) },
  });
  const entries = CELLS[page].map((name) => [name, cells.find((cell) => cell.name === name) ?? emptyCell(page, name)]);
  return Object.fromEntries(entries);
}

/** Fallback for a cell that an older server doesn't have. */
function emptyCell(page: string, name: string): Cell {
  return { page, name, language: LANGUAGE, markdown: '', html: '', isDefault: true, createdTimestamp: null };
}
