import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { PledgeStatus } from '#domain/check.ts';
import type { Database } from '#server/db/connection.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { PledgesTable, Tables } from '#server/db/tables.ts';

export type PledgeKey = { readonly orgId: string; readonly pledgeId: string };
export type PledgeRow = Selectable<PledgesTable>;
/** A pledge with the ledger entry and receipt it has once received, and its organization's time zone. */
export type PledgeWithReceipt = PledgeRow & {
  readonly entry_id: string | null;
  readonly receipt_number: number | null;
  readonly time_zone: string;
};

export async function insertPledge(db: Kysely<Tables>, pledge: Insertable<PledgesTable>): Promise<void> {
  await db.insertInto('pledges').values(pledge).execute();
}

/** @returns whether the pledge is new; false if its id exists */
export async function insertPledgeOnce(tx: Transaction<Tables>, pledge: Insertable<PledgesTable>): Promise<boolean> {
  const inserted = await tx
    .insertInto('pledges')
    .values(pledge)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function pledgeWithReceipt(db: Kysely<Tables>, { orgId, pledgeId }: PledgeKey) {
  return withReceipt(db, orgId).where('pledges.id', '=', pledgeId).executeTakeFirst();
}

export function lockedPledge(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey): Promise<PledgeRow | undefined> {
  return tx
    .selectFrom('pledges')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', pledgeId)
    .forUpdate()
    .executeTakeFirst();
}

export async function changePledge(
  tx: Transaction<Tables>,
  { orgId, pledgeId }: PledgeKey,
  change: Omit<Updateable<PledgesTable>, 'id' | 'org_id'>,
): Promise<void> {
  await tx.updateTable('pledges').set(change).where('org_id', '=', orgId).where('id', '=', pledgeId).execute();
}

export function pledgesPage(
  db: Database,
  orgId: string,
  status: PledgeStatus | undefined,
  page: Page,
): Promise<PledgeWithReceipt[]> {
  const all = withReceipt(db.kysely, orgId);
  return readPage(status ? all.where('pledges.status', '=', status) : all, 'pledges', page, orgId);
}

function withReceipt(db: Kysely<Tables>, orgId: string) {
  const entry = sql<string | null>`(
    select id from ledger_entries where ledger_entries.pledge_id = pledges.id and kind = 'check')`;
  const receipt = sql<number | null>`(
    select printed_number from receipts join ledger_entries on ledger_entries.id = receipts.ledger_entry_id
    where ledger_entries.pledge_id = pledges.id and ledger_entries.kind = 'check')`;
  const zone = sql<string>`(select time_zone from orgs where orgs.id = pledges.org_id)`;
  return db
    .selectFrom('pledges')
    .selectAll('pledges')
    .select([entry.as('entry_id'), receipt.as('receipt_number'), zone.as('time_zone')])
    .where('pledges.org_id', '=', orgId);
}
