import { type Kysely, sql, type Transaction } from 'kysely';
import type { Day } from '#domain/days.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { MonthChange } from '#domain/month-closing.ts';
import type { Month } from '#domain/statement.ts';
import { buildFactFromColumns } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';
import type { AuthoredRow } from '#server/features/ledger/months.ts';

export type LineKind = 'payout' | 'deposit' | 'bounced-check';

export type DepositRow = AuthoredRow & { readonly id: string; readonly deposited_on: Day };

/** Lists an organization's deposits from `from` up to, but not including, `until`. */
export function listDeposits(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: { readonly from: Day; readonly until: Day },
): Promise<DepositRow[]> {
  return db
    .selectFrom('deposits')
    .leftJoin('users', 'users.id', 'deposits.user_id')
    .select(['deposits.id', 'deposits.deposited_on', 'deposits.created_at', selectUserName().as('author')])
    .where('deposits.org_id', '=', orgId)
    .where('deposits.deposited_on', '>=', from)
    .where('deposits.deposited_on', '<', until)
    .orderBy('deposits.deposited_on')
    .orderBy('deposits.id')
    .execute();
}

export type CheckRow = {
  readonly entry_id: string;
  readonly pledge_id: string;
  readonly name: string | null;
  readonly check_number: string | null;
  readonly occurred_at: Date;
  readonly cents: Cents;
};

/** Selects received checks that count in the current payment mode. */
const selectChecks = sql`
  select e.id as entry_id, e.pledge_id, p.name, p.check_number, e.occurred_at, e.amount_cents as cents, d.deposit_id
  from ledger_entries e join pledges p on p.id = e.pledge_id left join deposit_checks d on d.entry_id = e.id
  where e.kind = 'check' and ${isInPaymentMode('e.livemode')}`;

export async function listDepositedChecks(
  db: Kysely<Tables>,
  depositIds: readonly string[],
): Promise<(CheckRow & { readonly deposit_id: string })[]> {
  const { rows } = await sql<CheckRow & { readonly deposit_id: string }>`
    ${selectChecks} and d.deposit_id = any(${depositIds}::text[]) order by e.occurred_at, e.id`.execute(db);
  return rows;
}

const isUndeposited = sql`(d.deposit_id is null
  and not exists (select from ledger_entries r where r.fact = ${buildFactFromColumns('check-reversal', 'e.id')}))`;

/** Lists checks that were booked in a time span and neither deposited nor reversed. */
export async function listUndepositedChecks(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    ${selectChecks} and e.org_id = ${orgId} and e.booked_at >= ${from} and e.booked_at < ${until} and ${isUndeposited}
    order by e.occurred_at, e.id`.execute(db);
  return rows;
}

/** Finds the organization's checks among these entries, with their arrival times and whether they can be deposited. */
export async function findChecks(
  db: Kysely<Tables>,
  orgId: OrgId,
  entryIds: readonly string[],
): Promise<{ readonly isUndeposited: boolean; readonly receivedAt: Date }[]> {
  const { rows } = await sql<{ isUndeposited: boolean; receivedAt: Date }>`
    select ${isUndeposited} as "isUndeposited", e.occurred_at as "receivedAt"
    from ledger_entries e left join deposit_checks d on d.entry_id = e.id
    where e.org_id = ${orgId} and e.kind = 'check' and ${isInPaymentMode('e.livemode')}
      and e.id = any(${entryIds}::text[])`.execute(db);
  return rows;
}

export type BouncedCheckRow = CheckRow & { readonly reversal_id: string; readonly booked_at: Date };

/**
 * Selects deposited checks that bounced, which the bank debits. Only the last reversal of a pledge can be for a bounced
 * check; the earlier ones corrected mistakes.
 */
const selectBouncedChecks = sql`
  select r.id as reversal_id, r.booked_at, e.id as entry_id, e.pledge_id, p.name, p.check_number, e.occurred_at,
    e.amount_cents as cents
  from ledger_entries r join ledger_entries e on e.id = r.reversed_entry_id
    join pledges p on p.id = r.pledge_id and p.bounced join deposit_checks d on d.entry_id = e.id
  where r.kind = 'reversal' and ${isInPaymentMode('r.livemode')} and not exists (
    select from ledger_entries n
    where n.pledge_id = r.pledge_id and n.kind = 'reversal' and n.created_at > r.created_at)`;

/** Lists deposited checks whose bouncing was booked in a time span. */
export async function listBouncedChecks(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<BouncedCheckRow[]> {
  const { rows } = await sql<BouncedCheckRow>`
    ${selectBouncedChecks} and r.org_id = ${orgId} and r.booked_at >= ${from} and r.booked_at < ${until}
    order by r.booked_at, e.occurred_at, r.id`.execute(db);
  return rows;
}

/** Finds when the bouncing of a deposited check was booked. */
export async function findBounceTime(db: Kysely<Tables>, orgId: OrgId, reversalId: string): Promise<Date | undefined> {
  const { rows } = await sql<BouncedCheckRow>`
    ${selectBouncedChecks} and r.org_id = ${orgId} and r.id = ${reversalId}`.execute(db);
  return rows[0]?.booked_at;
}

/** @returns whether a deposit contains a check that bounced */
export async function hasBouncedCheck(db: Kysely<Tables>, depositId: string): Promise<boolean> {
  const { rows } = await sql`${selectBouncedChecks} and d.deposit_id = ${depositId} limit 1`.execute(db);
  return rows.length > 0;
}

/** @returns whether money reached or left the bank in a time span */
export async function hasBankEntries(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    where e.org_id = ${orgId} and e.booked_at >= ${from} and e.booked_at < ${until} and ${isInPaymentMode('e.livemode')}
    limit 1`.execute(db);
  return rows.length > 0;
}

export type MarkRow = AuthoredRow & { readonly kind: LineKind; readonly subject: string };

export function listMarks(db: Kysely<Tables>, orgId: OrgId, subjects: readonly string[]): Promise<MarkRow[]> {
  return db
    .selectFrom('bank_marks')
    .leftJoin('users', 'users.id', 'bank_marks.user_id')
    .select(['bank_marks.kind', 'bank_marks.subject', 'bank_marks.created_at', selectUserName().as('author')])
    .where('bank_marks.org_id', '=', orgId)
    .where('bank_marks.subject', '=', sql<string>`any(${subjects}::text[])`)
    .execute();
}

/** @returns whether the books agree with Stripe up to a time; always true for the sample organization */
export async function areBooksReconciledUntil(
  db: Kysely<Tables>,
  { orgId, livemode }: { readonly orgId: OrgId; readonly livemode: boolean },
  until: Date,
): Promise<boolean> {
  const { rows } = await sql<{ matchesProvider: boolean }>`
    select is_sample or coalesce(books_closed_until(id, ${livemode}) >= ${until}, false) as "matchesProvider"
    from orgs where id = ${orgId}`.execute(db);
  return rows[0]?.matchesProvider === true;
}

/** Serializes changes to an organization's marks and deposits until the transaction ends. */
export async function lockBankLines(tx: Transaction<Tables>, orgId: OrgId): Promise<void> {
  await tx.selectFrom('orgs').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();
}

/**
 * Serializes changes to an organization's books until the transaction ends. Blocks new ledger entries, too, because a
 * trigger decides in which month they are booked.
 */
export async function lockBooks(tx: Transaction<Tables>, orgId: OrgId): Promise<void> {
  await tx.selectFrom('orgs').select('id').where('id', '=', orgId).forUpdate().execute();
}

/** A line of an organization's bank statement. */
export type LineKey = { readonly orgId: OrgId; readonly kind: LineKind; readonly id: string };
export type NewStamp = { readonly userId: UserId; readonly stampedAt: Date };

export async function insertMark(
  tx: Transaction<Tables>,
  { orgId, kind, id }: LineKey,
  { userId, stampedAt }: NewStamp,
): Promise<void> {
  await tx
    .insertInto('bank_marks')
    .values({ org_id: orgId, kind, subject: id, user_id: userId, created_at: stampedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMark(tx: Transaction<Tables>, { orgId, kind, id }: LineKey): Promise<void> {
  await tx
    .deleteFrom('bank_marks')
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('subject', '=', id)
    .execute();
}

export async function findDepositDay(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<Day | undefined> {
  const deposit = db.selectFrom('deposits').select('deposited_on').where('org_id', '=', orgId).where('id', '=', id);
  return (await deposit.executeTakeFirst())?.deposited_on;
}

/** Finds the day of the deposit that contains a check. */
export async function findDepositDayOfCheck(
  db: Kysely<Tables>,
  orgId: OrgId,
  entryId: string,
): Promise<Day | undefined> {
  const deposit = await db
    .selectFrom('deposit_checks')
    .innerJoin('deposits', 'deposits.id', 'deposit_checks.deposit_id')
    .select('deposits.deposited_on')
    .where('deposits.org_id', '=', orgId)
    .where('deposit_checks.entry_id', '=', entryId)
    .executeTakeFirst();
  return deposit?.deposited_on;
}

export type NewDeposit = {
  readonly orgId: OrgId;
  readonly id: string;
  readonly depositedOn: Day;
  /** Ledger entries of the checks. */
  readonly entryIds: readonly string[];
};

/** @returns false if another organization's deposit has this id */
export async function insertDeposit(
  tx: Transaction<Tables>,
  { orgId, id, depositedOn, entryIds }: NewDeposit,
  { userId, stampedAt }: NewStamp,
): Promise<boolean> {
  const deposit = await tx
    .insertInto('deposits')
    .values({ id, org_id: orgId, deposited_on: depositedOn, user_id: userId, created_at: stampedAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!deposit) return false;
  await tx
    .insertInto('deposit_checks')
    .values(entryIds.map((entryId) => ({ entry_id: entryId, deposit_id: id })))
    .execute();
  return true;
}

export async function deleteDeposit(tx: Transaction<Tables>, orgId: OrgId, id: string): Promise<void> {
  await tx.deleteFrom('deposits').where('org_id', '=', orgId).where('id', '=', id).execute();
}

export async function insertMonthChange(
  tx: Transaction<Tables>,
  { orgId, month, action, reason }: MonthChange & { orgId: OrgId; month: Month; reason: string | null },
  { userId, stampedAt }: NewStamp,
): Promise<void> {
  await tx
    .insertInto('month_changes')
    .values({ org_id: orgId, month, action, reason, user_id: userId, created_at: stampedAt })
    .execute();
}
