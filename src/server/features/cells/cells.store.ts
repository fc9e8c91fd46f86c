import type { Selectable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { CellsTable } from '#server/db/tables.ts';

export type CellRow = Selectable<CellsTable>;

/** Every text that an organisation has written of its own: at most one a cell, so at most the cells of §2. */
export function cellsOfOrg(db: Database, orgId: string): Promise<CellRow[]> {
  return db.kysely.selectFrom('cells').selectAll().where('org_id', '=', orgId).execute();
}
