import {
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import { buildFact } from '#domain/facts.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';

export type PledgeKey = { readonly orgId: OrgId; readonly pledgeId: string };
export type PledgeRow = Selectable<Tables['pledges']>;
/** A pledge with its last check's ledger entry, receipt, and reversal, and its organization's time zone. */
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

/** @returns false if a pledge with this id already exists */
export async function insertPledgeOnce(
  tx: Transaction<Tables>,
  pledge: Insertable<Tables['pledges']>,
): Promise<boolean> {
  const newPledge = await tx
    .insertInto('pledges')
    .values(pledge)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return newPledge !== undefined;
}

export function findPledgeWithReceipt(db: Kysely<Tables>, { orgId, pledgeId }: PledgeKey) {
  return selectWithReceipt(db, orgId).where('pledges.id', '=', pledgeId).executeTakeFirst();
}

export function lockPledge(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey): Promise<PledgeRow | undefined> {
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

/**
 * Returns whether another received check has this number and amount. Locks the number and amount first, so that the same
 * check can't be recorded concurrently.
 */
export async function hasDuplicateCheck(
  tx: Transaction<Tables>,
  { orgId, pledgeId }: PledgeKey,
  { number, cents }: { readonly number: string; readonly cents: Cents },
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`check:${orgId}:${number}:${cents}`}, 0))`.execute(tx);
  const check = await tx
    .selectFrom('pledges')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '<>', pledgeId)
    .where('status', '=', 'received')
    .where('check_number', '=', number)
    .where('received_cents', '=', cents)
    .limit(1)
    .executeTakeFirst();
  return check !== undefined;
}

/** Deletes suspicious pledges that no editor has confirmed, canceled, or received. */
export async function deleteSuspiciousPledges(db: Kysely<Tables>, before: Date): Promise<void> {
  await db
    .deleteFrom('pledges')
    .where('suspicious', '=', true)
    .where('status', '=', 'pledged')
    .where('created_at', '<', before)
    .execute();
}

export function listPledgesWithReceipts(
  db: Kysely<Tables>,
  orgId: OrgId,
  ids: readonly string[],
): Promise<PledgeWithReceipt[]> {
  return selectWithReceipt(db, orgId).where(sql<SqlBool>`pledges.id = any(${ids}::text[])`).execute();
}

function selectWithReceipt(db: Kysely<Tables>, orgId: OrgId) {
  const lastCheck = sql`select id from ledger_entries where ledger_entries.pledge_id = pledges.id and kind = 'check'
    order by created_at desc, id limit 1`;
  const entry = sql<string | null>`(${lastCheck})`;
  const receipt = sql<number | null>`(select printed_number from receipts where ledger_entry_id = (${lastCheck}))`;
  const reversal = sql`from ledger_entries left join users on users.id = ledger_entries.actor_id
    where ledger_entries.pledge_id = pledges.id and kind = 'reversal' order by ledger_entries.created_at desc limit 1`;
  const reversedAt = sql<Date | null>`(select occurred_at ${reversal})`;
  const reversedBy = sql<string | null>`(select ${selectUserName()} ${reversal})`;
  const zone = sql<string>`(select time_zone from orgs where orgs.id = pledges.org_id)`;
  return db
    .selectFrom('pledges')
    .selectAll('pledges')
    .select([entry.as('entry_id'), receipt.as('receipt_number'), zone.as('time_zone')])
    .select([reversedAt.as('reversed_at'), reversedBy.as('reversed_by')])
    .where('pledges.org_id', '=', orgId);
}

/** Finds the ledger entry of a pledge's check. The caller must hold the lock on the pledge. */
export async function findCheckEntry(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey, entryId: string) {
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
    .where('fact', '=', buildFact('check-reversal', entryId))
    .executeTakeFirst();
  return { ...entry, isReversed: reversal !== undefined };
}

/** Counts the checks that were recorded as received for a pledge. */
export async function countChecks(tx: Transaction<Tables>, { orgId, pledgeId }: PledgeKey): Promise<number> {
  const { checks } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('checks'))
    .where('org_id', '=', orgId)
    .where('pledge_id', '=', pledgeId)
    .where('kind', '=', 'check')
    .executeTakeFirstOrThrow();
  return checks;
}
