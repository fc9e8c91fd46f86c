import type { Insertable, Kysely } from 'kysely';
import type { PledgesTable, Tables } from '#server/db/tables.ts';

export async function insertPledge(db: Kysely<Tables>, pledge: Insertable<PledgesTable>): Promise<void> {
  await db.insertInto('pledges').values(pledge).execute();
}
