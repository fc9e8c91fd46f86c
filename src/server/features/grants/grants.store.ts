import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { Lines } from '#domain/books.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { GrantsTable, Tables } from '#server/db/tables.ts';

export type GrantKey = { readonly orgId: string; readonly grantId: string };
export type GrantRow = Selectable<GrantsTable> & { readonly awardee: string };

const AWARDEE = sql<string>`(
  select name from awardees where awardees.id = grants.awardee_id and awardees.org_id = grants.org_id)`.as('awardee');

export function grantsPage(
  db: Kysely<Tables>,
  orgId: string,
  { awardeeid, ...page }: Page & { readonly awardeeid?: string | undefined },
): Promise<GrantRow[]> {
  const all = db.selectFrom('grants').selectAll().select(AWARDEE);
  return readPage(awardeeid === undefined ? all : all.where('awardee_id', '=', awardeeid), 'grants', page, orgId);
}

export function grantById(db: Kysely<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return one(db, key).executeTakeFirst();
}

export function lockedGrant(tx: Transaction<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return one(tx, key).forUpdate().executeTakeFirst();
}

function one(db: Kysely<Tables>, { orgId, grantId }: GrantKey) {
  return db.selectFrom('grants').selectAll().select(AWARDEE).where('org_id', '=', orgId).where('id', '=', grantId);
}

/** Locked until the transaction ends, so that it is not deleted meanwhile. */
export async function hasAwardee(tx: Transaction<Tables>, orgId: string, awardeeId: string): Promise<boolean> {
  const awardee = tx.selectFrom('awardees').select('id').where('org_id', '=', orgId).where('id', '=', awardeeId);
  return (await awardee.forKeyShare().executeTakeFirst()) !== undefined;
}

/** Not if its id exists. */
export async function insertGrantOnce(tx: Transaction<Tables>, grant: Insertable<GrantsTable>): Promise<void> {
  await tx
    .insertInto('grants')
    .values(grant)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function changeGrant(
  tx: Transaction<Tables>,
  { orgId, grantId }: GrantKey,
  change: Omit<Updateable<GrantsTable>, 'id' | 'org_id'>,
): Promise<void> {
  await tx.updateTable('grants').set(change).where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export async function deleteGrantRow(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<void> {
  await tx.deleteFrom('grants').where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export function bookedGrantOf(tx: Transaction<Tables>, orgId: string, awardeeId: string) {
  return tx
    .selectFrom('grants')
    .innerJoin('ledger_entries', 'ledger_entries.grant_id', 'grants.id')
    .select('grants.id')
    .where('grants.org_id', '=', orgId)
    .where('awardee_id', '=', awardeeId)
    .executeTakeFirst();
}

/** How many entries of the ledger a grant has: each has its own fact. */
export async function entriesOf(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<number> {
  const { entries } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('entries'))
    .where('org_id', '=', orgId)
    .where('grant_id', '=', grantId)
    .executeTakeFirstOrThrow();
  return entries;
}

export async function linesOfEntry(tx: Transaction<Tables>, entryId: string): Promise<Lines> {
  const lines = await tx
    .selectFrom('ledger_lines')
    .select(['account', 'cents'])
    .where('entry_id', '=', entryId)
    .execute();
  return Object.fromEntries(lines.map(({ account, cents }) => [account, cents]));
}
