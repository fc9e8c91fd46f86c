import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { ACCOUNTS, type Account, type Balances, type Lines } from '#domain/books.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type LedgerTotals = Selectable<Tables['ledger_totals']>;

/** @returns whether the entry counts in the totals; undefined if its fact was already posted */
export function insertEntry(
  tx: Transaction<Tables>,
  entry: Insertable<Tables['ledger_entries']>,
): Promise<{ readonly counts: boolean } | undefined> {
  return tx
    .insertInto('ledger_entries')
    .values(entry)
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returning(isInPaymentMode('ledger_entries.livemode').as('counts'))
    .executeTakeFirst();
}

/** Locks and sets the payment mode. @returns how the previous mode compares with the new one */
export async function updatePaymentMode(
  tx: Transaction<Tables>,
  livemode: boolean,
): Promise<'none' | 'same' | 'other'> {
  await sql`lock table payment_mode in exclusive mode`.execute(tx);
  const previous = await tx.selectFrom('payment_mode').select('livemode').executeTakeFirst();
  if (previous?.livemode === livemode) return 'same';
  await tx
    .insertInto('payment_mode')
    .values({ livemode })
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet({ livemode }))
    .execute();
  return previous ? 'other' : 'none';
}

/** Recomputes all totals and all donors' sums from the entries of the current payment mode. */
export async function recomputeTotals(tx: Transaction<Tables>): Promise<void> {
  await sql`
    with sums as (
      select o.id as org_id, coalesce(sum(e.amount_cents), 0)::int8 as amount_cents, coalesce(sum(e.carbon), 0)::int8 as carbon,
        coalesce(sum(e.gas), 0)::int8 as gas, coalesce(sum(e.grants), 0)::int8 as grants, count(e.id) as entries
      from orgs o left join ledger_entries e on e.org_id = o.id and ${isInPaymentMode('e.livemode')}
      group by o.id)
    update ledger_totals t set amount_cents = s.amount_cents, carbon = s.carbon, gas = s.gas, grants = s.grants,
      entries = s.entries
    from sums s where s.org_id = t.org_id and (t.amount_cents, t.carbon, t.gas, t.grants, t.entries)
      is distinct from (s.amount_cents, s.carbon, s.gas, s.grants, s.entries)`.execute(tx);
  await sql`select recount_donors(array(select id from donors))`.execute(tx);
}

/** Inserts the lines. The commit fails unless they sum to zero. */
export async function insertLines(tx: Transaction<Tables>, entryId: string, lines: Lines): Promise<void> {
  const rows = ACCOUNTS.flatMap((account) => {
    const cents = lines[account] ?? 0;
    return cents === 0 ? [] : [{ entry_id: entryId, account, cents }];
  });
  if (rows.length > 0) await tx.insertInto('ledger_lines').values(rows).execute();
}

/** Adds an entry to its organization's totals, whose row stays locked until the transaction ends. */
export async function addToTotals(tx: Transaction<Tables>, entry: Omit<LedgerTotals, 'entries'>): Promise<void> {
  await tx
    .insertInto('ledger_totals')
    .values({ ...entry, entries: 1 })
    .onConflict((conflict) =>
      conflict.column('org_id').doUpdateSet({
        amount_cents: sql`ledger_totals.amount_cents + excluded.amount_cents`,
        carbon: sql`ledger_totals.carbon + excluded.carbon`,
        gas: sql`ledger_totals.gas + excluded.gas`,
        grants: sql`ledger_totals.grants + excluded.grants`,
        entries: sql`ledger_totals.entries + excluded.entries`,
      }),
    )
    .execute();
}

export function findTotals(db: Kysely<Tables>, orgId: OrgId): Promise<LedgerTotals | undefined> {
  return db.selectFrom('ledger_totals').selectAll().where('org_id', '=', orgId).executeTakeFirst();
}

/** An organization's number of grants, and whether it is counted from awardees or paid grants. */
export type GrantCount = { readonly count: number; readonly source: 'awardees' | 'grants' };

/** Counts paid grants or, before the first one, published awardees (decisions §2). */
export async function countGrants(db: Kysely<Tables>, orgId: OrgId): Promise<GrantCount> {
  const { rows } = await sql<{ awardees: number; grants: number }>`
    select (select count(*) from awardees where org_id = ${orgId} and status = 'published') as awardees,
      (select count(*) from grants g join ledger_entries e on e.id = g.paid_entry_id
        where g.org_id = ${orgId} and ${isInPaymentMode('e.livemode')}) as grants`.execute(db);
  const { awardees = 0, grants = 0 } = rows[0] ?? {};
  return grants > 0 ? { count: grants, source: 'grants' } : { count: awardees, source: 'awardees' };
}

export type PaidGrant = {
  readonly years: number;
  readonly yearly_carbon: TenThousandthsOfPound;
  readonly paid_cents: Cents;
  readonly other_funding_cents: Cents;
  readonly claims_full_savings: boolean;
};

/** Lists the savings and costs of the grants paid in the current payment mode. */
export async function listPaidGrants(db: Kysely<Tables>, orgId: OrgId): Promise<PaidGrant[]> {
  const { rows } = await sql<PaidGrant>`
    select g.years, g.yearly_carbon, g.paid_cents, g.other_funding_cents, g.claims_full_savings
    from grants g join ledger_entries e on e.id = g.paid_entry_id
    where g.org_id = ${orgId} and ${isInPaymentMode('e.livemode')}`.execute(db);
  return rows;
}

/** Sums an organization's ledger lines by account in the current payment mode. */
export async function sumByAccount(db: Kysely<Tables>, orgId: OrgId): Promise<Balances> {
  const { rows } = await sql<{ account: Account; cents: Cents }>`
    select l.account, sum(l.cents)::int8 as cents
    from ledger_entries e join ledger_lines l on l.entry_id = e.id
    where e.org_id = ${orgId} and ${isInPaymentMode('e.livemode')} group by 1`.execute(db);
  const centsByAccount = new Map(rows.map(({ account, cents }) => [account, cents]));
  return Object.fromEntries(ACCOUNTS.map((account) => [account, centsByAccount.get(account) ?? 0])) as Balances;
}

/** Finds when an organization's first entry in the current payment mode was booked. */
export async function findFirstEntryTime(db: Kysely<Tables>, orgId: OrgId): Promise<Date | undefined> {
  const { rows } = await sql<{ booked_at: Date }>`
    select e.booked_at from ledger_entries e where e.org_id = ${orgId} and ${isInPaymentMode('e.livemode')}
    order by e.booked_at limit 1`.execute(db);
  return rows[0]?.booked_at;
}

export type AdjustmentRow = Selectable<Tables['ledger_entries']> & {
  /** The author's name; null if the account is deleted. */
  readonly actor_name: string | null;
  readonly actor_email: string | null;
};

/** Lists an organization's adjustments, newest first. */
export function listAdjustments(db: Kysely<Tables>, orgId: OrgId, max: number): Promise<AdjustmentRow[]> {
  return db
    .selectFrom('ledger_entries')
    .leftJoin('users', 'users.id', 'ledger_entries.actor_id')
    .selectAll('ledger_entries')
    .select(['users.display_name as actor_name', 'users.email as actor_email'])
    .where('ledger_entries.org_id', '=', orgId)
    .where('ledger_entries.kind', '=', 'adjustment')
    .orderBy('ledger_entries.created_at', 'desc')
    .orderBy('ledger_entries.id', 'desc')
    .limit(max)
    .execute();
}
