import type { CellVersion } from '#contract/schemas/cells.ts';
import { type CellRef, isCell } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import { type ListPage, listPage } from '#server/list-page.ts';
import { presentVersion } from './cells.present.ts';
import { versionsPage } from './cells.store.ts';

/**
 * What a text was before, each with who and when, the last one first. Empty where nobody ever saved one.
 * @returns Failure no-cell
 */
export async function readVersions(
  db: Database,
  orgId: string,
  key: CellRef,
  page: Page,
): Promise<ListPage<CellVersion[]> | Failure> {
  if (!isCell(key)) return new Failure('no-cell');
  const rows = await versionsPage(db.kysely, orgId, key, { ...page, max: page.max + 1 });
  return listPage(rows, page.max, presentVersion);
}
