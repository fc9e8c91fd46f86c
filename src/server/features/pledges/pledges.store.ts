import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { PledgeStatus } from '#domain/check.ts';
import type { Database } from '#server/db/connection.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';

export type PledgeKey = { readonly orgId: string; readonly pledgeId: string };
export type PledgeRow = Selectable<Tables['pledges']>;
/** A pledge with its last check's ledger entry, receipt and reversal, and its organization's time zone. */
export type PledgeWithReceipt = PledgeRow & {
  readonly reversed_at: Date | null;
  readonly reversed_by: string | null;
  readonly entry_id: string | null;
  readonly receipt_number: number | null;
  readonly time_zone: string;
};

export async function insertPledge(db: Kysely<Tables>, pledge: Insertable<Tables['pledges']>): Promise<void> {
  await db.insertInto('pledges').values(pledge).execute();
}

/** @returns whether the pledge is new; false if its id exists */
export async function insertPledgeOnce(
  tx: Transaction<Tables>,
  pledge: Insertable<Tables['pledges']>,
): Promise<boolean> {
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
  change: Omit<Updateable<Tables['pledges']>, 'id' | 'org_id'>,
): Promise<void> {
  await tx.updateTable('pledges').set(change).where('org_id', '=', orgId).where('id', '=', pledgeId).execute();
}

/** Those that no editor has kept, canceled or received. */
export async function deleteUnlikely(db: Kysely<Tables>, before: Date): Promise<void> {
  await db
    .deleteFrom('pledges')
    .where('unlikely', '=', true)
    .where('status', '=', 'pledged')
    .where('created_at', '<', before)
    .execute();
}

export function pledgesPage(
  db: Database,
  orgId: string,
  status: PledgeStatus | undefined,
  page: Page,
): Promise<PledgeWithReceipt[]> {
  const all = withReceipt(db.kysely, orgId);
  if (status === undefined) return readPage(all, 'pledges', page, orgId);
  const isBounced = status === 'bounced';
  const isPledged = status === 'pledged' || status === 'unlikely';
  if (isPledged) {
    const pledged = all.where('pledges.status', '=', 'pledged').where('pledges.unlikely', '=', status === 'unlikely');
    return readPage(pledged, 'pledges', page, orgId);
  }
  const chosen = all.where('pledges.status', '=', isBounced ? 'withdrawn' : status);
  const withdrawn = isBounced || status === 'withdrawn';
  return readPage(withdrawn ? chosen.where('pledges.bounced', '=', isBounced) : chosen, 'pledges', page, orgId);
}

function withReceipt(db: Kysely<Tables>, orgId: string) {
  const last = sql`select id from ledger_entries where ledger_entries.pledge_id = pledges.id and kind = 'check'
    order by created_at desc, id limit 1`;
  const entry = sql<string | null>`(${last})`;
  const receipt = sql<number | null>`(select donee_number from receipts where ledger_entry_id = (${last}))`;
  const reversal = sql`from ledger_entries left join users on users.id = ledger_entries.actor_id
    where ledger_entries.pledge_id = pledges.id and kind = 'reversal' order by ledger_entries.created_at desc limit 1`;
  const reversedAt = sql<Date | null>`(select occurred_at ${reversal})`;
  const reversedBy = sql<string | null>`(select coalesce(nullif(users.display_name, ''), users.email) ${reversal})`;
  const zone = sql<string>`(select time_zone from orgs where orgs.id = pledges.org_id)`;
  return db
    .selectFrom('pledges')
    .selectAll('pledges')
    .select([entry.as('entry_id'), receipt.as('receipt_number'), zone.as('time_zone')])
    .select([reversedAt.as('reversed_at'), reversedBy.as('reversed_by')])
    .where('pledges.org_id', '=', orgId);
}

/** Names the reversal of a check, by the check's ledger entry. */
export function reversalFact(entryId: string): string {
  return `check-reversal:${entryId}`;
}

/** A check of a pledge in the ledger. The pledge must be locked. */
export async function receivedEntry(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey, entryId: string) {
  const entry = await tx
    .selectFrom('ledger_entries')
    .select(['amount_cents', 'currency'])
    .where('id', '=', entryId)
    .where('org_id', '=', orgId)
    .where('pledge_id', '=', pledgeId)
    .where('kind', '=', 'check')
    .executeTakeFirst();
  if (!entry) return undefined;
  const reversal = await tx
    .selectFrom('ledger_entries')
    .select('id')
    .where('fact', '=', reversalFact(entryId))
    .executeTakeFirst();
  return { ...entry, isReversed: reversal !== undefined };
}

/** How often a check was recorded as received for a pledge. */
export async function checksOf(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey): Promise<number> {
  const { checks } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('checks'))
    .where('org_id', '=', orgId)
    .where('pledge_id', '=', pledgeId)
    .where('kind', '=', 'check')
    .executeTakeFirstOrThrow();
  return checks;
}
