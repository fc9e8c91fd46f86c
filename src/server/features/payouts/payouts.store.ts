import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import type { Day } from '#domain/days.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { isResolvedOutsideBooks } from '#server/features/attention/attention.ts';
import type { PayoutFacts } from '#server/gateways/payments/balance-facts.ts';

export type PayoutRow = Selectable<Tables['payouts']>;
export type MovementRow = Selectable<Tables['payout_movements']>;

/** Saves the reported state of a payout and locks its row. An outdated report doesn't undo a later state. */
export async function savePayout(tx: Transaction<Tables>, facts: PayoutFacts): Promise<PayoutRow> {
  return tx
    .insertInto('payouts')
    .values({
      id: facts.payoutId,
      amount_cents: facts.amount,
      currency: facts.currency,
      status: facts.status,
      livemode: facts.livemode,
      has_all_movements: facts.contents !== undefined,
      arrives_on: facts.arrivesOn,
      failed_at: facts.failedAt ?? null,
      created_at: facts.createdAt,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        status: sql`case when payouts.status = 'failed' or excluded.status = 'in-transit' then payouts.status
          else excluded.status end`,
        has_all_movements: sql`payouts.has_all_movements or excluded.has_all_movements`,
        arrives_on: sql`excluded.arrives_on`,
        failed_at: sql`coalesce(payouts.failed_at, excluded.failed_at)`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findPayouts(db: Kysely<Tables>, ids: readonly string[]): Promise<PayoutRow[]> {
  return db.selectFrom('payouts').selectAll().where('id', '=', sql<string>`any(${ids}::text[])`).execute();
}

/**
 * Lists payouts with unassigned money that can now be assigned to an organization, oldest first. Includes payouts that repeat
 * or contain another payout whose money has been assigned. The caller records the payouts and lists them again, until
 * the money is assigned through the whole chain of payouts.
 */
export async function listPayoutsToReassign(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<Pick<PayoutRow, 'id'>>`
    with changed as (
      select m.payout_id from payout_movements m join payouts o on o.id = m.payout_id
      where m.org_id is null and (
        exists (select from payments p where p.charge_id = m.charge_id and p.currency = o.currency)
        or m.kind = 'fee' and exists (select from account_fees f where f.id = m.movement_id))
      union
      -- A manual payout's own split names the payout itself as its source.
      select m.payout_id from payout_movements m where m.kind in ('returned-payout', 'manual') and m.source_id <> m.payout_id
      group by m.payout_id, m.movement_id, m.source_id, m.kind
      having coalesce(sum(m.gross_cents) filter (where m.org_id is not null), 0)
        <> (case m.kind when 'manual' then -1 else 1 end) * (
          select coalesce(sum(s.net_cents), 0) from payout_movements s
          where s.payout_id = m.source_id and s.org_id is not null))
    select o.id from changed c join payouts o on o.id = c.payout_id order by o.created_at, o.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists payouts that may be manual and aren't split yet: recent payouts, and payouts that a person has resolved. */
export async function listPayoutsToSplit(db: Kysely<Tables>, recentIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from payouts o where o.status in ('paid', 'failed') and not o.has_all_movements
      and not exists (select from payout_movements m where m.payout_id = o.id)
      and (o.id = any(${recentIds}::text[]) or ${isResolvedPayout})
      order by o.created_at, o.id`.execute(db);
  return rows.map(({ id }) => id);
}

const isResolvedPayout = sql<boolean>`exists (
  select from attention_items a
  where a.subject = ${attentionSubject('payout', '')} || o.id and ${isResolvedOutsideBooks('a')})`;

export async function isPayoutResolved(tx: Transaction<Tables>, payoutId: string): Promise<boolean> {
  const query = sql`select from payouts o where o.id = ${payoutId} and ${isResolvedPayout}`;
  const { rows } = await query.execute(tx);
  return rows.length > 0;
}

type OrgBalance = { readonly org_id: OrgId; readonly cents: Cents };

/** Computes each organization's balance at the provider when a payout was created, minus earlier payouts. */
export async function readProviderBalances(
  tx: Transaction<Tables>,
  { id, currency, livemode, created_at }: Pick<PayoutRow, 'id' | 'currency' | 'livemode' | 'created_at'>,
): Promise<OrgBalance[]> {
  const { rows } = await sql<OrgBalance>`
    select o.id as org_id, (coalesce((
        select sum(l.cents) from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'provider'
        where e.org_id = o.id and e.kind <> 'payout' and e.occurred_at <= ${created_at} and e.currency = o.currency
          and coalesce(e.livemode, ${livemode}) = ${livemode}), 0)
      - coalesce((
        select sum(m.net_cents) from payout_movements m join payouts p on p.id = m.payout_id
        where m.org_id = o.id and p.status <> 'failed' and p.created_at <= ${created_at} and p.id <> ${id}
          and p.currency = o.currency and p.livemode = ${livemode}
          -- Excludes a later payout created in the same second.
          and not exists (select from payout_movements n where n.payout_id = p.id and n.source_id = ${id})), 0))::int8
      as cents
    from orgs o where o.currency = ${currency} order by o.id`.execute(tx);
  return rows;
}

/** The payment of a charge, in any organization. */
export type RecordedCharge = {
  readonly charge_id: string;
  readonly entry_id: string;
  readonly org_id: OrgId;
  readonly currency: string;
  readonly fee_cents: Cents | null;
};

export async function findRecordedCharges(db: Kysely<Tables>, chargeIds: readonly string[]): Promise<RecordedCharge[]> {
  const { rows } = await sql<RecordedCharge>`
    select charge_id, entry_id, org_id, currency, fee_cents from payments
    where charge_id = any(${chargeIds}::text[])`.execute(db);
  return rows;
}

export function listPayoutMovements(db: Kysely<Tables>, payoutId: string): Promise<MovementRow[]> {
  return db.selectFrom('payout_movements').selectAll().where('payout_id', '=', payoutId).execute();
}

const BATCH_SIZE = 1000;

/** Replaces a payout's movements. The caller must hold the lock on the payout. */
export async function replaceMovements(
  tx: Transaction<Tables>,
  payoutId: string,
  movements: readonly Insertable<Tables['payout_movements']>[],
): Promise<void> {
  await tx.deleteFrom('payout_movements').where('payout_id', '=', payoutId).execute();
  for (let start = 0; start < movements.length; start += BATCH_SIZE)
    await tx
      .insertInto('payout_movements')
      .values(movements.slice(start, start + BATCH_SIZE))
      .execute();
}

/** Links payments to the payout that contains them, and failed payouts to the payout that replaced them. */
export async function linkToPayout(tx: Transaction<Tables>, payoutId: string): Promise<void> {
  await sql`
    update payments p set payout_id = ${payoutId} from payout_movements m
    where m.payout_id = ${payoutId} and m.kind = 'payment' and p.entry_id = m.entry_id
      and p.payout_id is distinct from ${payoutId}`.execute(tx);
  await sql`
    update payouts o set replacement_payout_id = ${payoutId} from payout_movements m
    where m.payout_id = ${payoutId} and m.kind = 'returned-payout' and o.id = m.source_id
      and o.replacement_payout_id is null`.execute(tx);
}

/** An organization's part of a payout. */
export type PayoutShare = {
  readonly org_id: OrgId;
  readonly time_zone: string;
  readonly cents: Cents;
  /** The amount that is already in the organization's books. */
  readonly posted_cents: Cents;
  readonly entries: number;
};

/** Lists the organizations' shares of a payout in the order in which ledger totals are locked. */
export async function listPayoutShares(tx: Transaction<Tables>, payoutId: string): Promise<PayoutShare[]> {
  const { rows } = await sql<PayoutShare>`
    with shares as (
      select org_id, sum(net_cents)::int8 as cents from payout_movements
      where payout_id = ${payoutId} and org_id is not null group by org_id),
    posted as (
      select e.org_id, coalesce(sum(l.cents), 0)::int8 as cents, count(*) as entries
      from payout_entries p join ledger_entries e on e.id = p.entry_id
        left join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
      where p.payout_id = ${payoutId} group by e.org_id)
    select o.id as org_id, o.time_zone, coalesce(s.cents, 0)::int8 as cents,
      coalesce(p.cents, 0)::int8 as posted_cents, coalesce(p.entries, 0) as entries
    from shares s full join posted p on p.org_id = s.org_id join orgs o on o.id = coalesce(s.org_id, p.org_id)
    order by o.id`.execute(tx);
  return rows;
}

export async function linkEntry(tx: Transaction<Tables>, payoutId: string, entryId: string): Promise<void> {
  await tx.insertInto('payout_entries').values({ payout_id: payoutId, entry_id: entryId }).execute();
}

export type ListedPayoutRow = Pick<
  PayoutRow,
  'id' | 'status' | 'arrives_on' | 'amount_cents' | 'replacement_payout_id'
> & {
  /** The organization's amounts; fees are positive. */
  readonly gift_cents: Cents;
  readonly fee_cents: Cents;
  readonly refund_cents: Cents;
  readonly dispute_cents: Cents;
  readonly returned_cents: Cents;
  readonly manual_cents: Cents;
  readonly share_cents: Cents;
  readonly movements: number;
  readonly other_cents: Cents;
  readonly account_cents: Cents;
};

/** Days from `from` up to, but not including, `until`. */
export type DayRange = { readonly from: Day; readonly until: Day };

/** Lists payouts that contain an organization's money, by arrival. Live payments hide test payouts (decisions §3). */
export async function listPayouts(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: DayRange,
): Promise<ListedPayoutRow[]> {
  const sum = (column: 'gross_cents' | 'fee_cents' | 'net_cents', where: string) =>
    sql`coalesce(sum(${sql.ref(`m.${column}`)}) filter (where m.org_id = ${orgId} ${sql.raw(where)}), 0)::int8`;
  const { rows } = await sql<ListedPayoutRow>`
    select o.id, o.status, o.arrives_on, o.amount_cents, o.replacement_payout_id, sums.*
    from payouts o,
      lateral (
        select ${sum('gross_cents', "and m.kind = 'payment'")} as gift_cents,
          ${sum('fee_cents', '')} as fee_cents,
          ${sum('gross_cents', "and m.kind = 'refund'")} as refund_cents,
          ${sum('gross_cents', "and m.kind = 'dispute'")} as dispute_cents,
          ${sum('gross_cents', "and m.kind = 'returned-payout'")} as returned_cents,
          ${sum('gross_cents', "and m.kind = 'manual'")} as manual_cents,
          ${sum('net_cents', '')} as share_cents,
          count(*) filter (where m.org_id = ${orgId}) as movements,
          coalesce(sum(m.net_cents) filter (where m.org_id is distinct from ${orgId} and m.kind <> 'account'), 0)::int8
            as other_cents,
          coalesce(sum(m.net_cents) filter (where m.kind = 'account'), 0)::int8 as account_cents
        from payout_movements m where m.payout_id = o.id) sums
    where o.arrives_on >= ${from} and o.arrives_on < ${until} and ${isInPaymentMode('o.livemode')}
      and exists (select from payout_movements m where m.org_id = ${orgId} and m.payout_id = o.id)
    order by o.arrives_on, o.id`.execute(db);
  return rows;
}

/** Finds the latest arrival day, possibly in the future, of a payout that contains an organization's money. */
export async function findLastArrival(db: Kysely<Tables>, orgId: OrgId): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day | null }>`
    select max(o.arrives_on) as day from payouts o where ${isInPaymentMode('o.livemode')}
      and exists (select from payout_movements m where m.org_id = ${orgId} and m.payout_id = o.id)`.execute(db);
  return rows[0]?.day ?? undefined;
}

/** @returns undefined if the payout contains none of the organization's money */
export async function findArrival(db: Kysely<Tables>, { orgId, payoutId }: OrgPayout): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day }>`
    select o.arrives_on as day from payouts o where o.id = ${payoutId}
      and exists (select from payout_movements m where m.org_id = ${orgId} and m.payout_id = o.id)`.execute(db);
  return rows[0]?.day;
}

type PageRequest = { readonly max: number; readonly after: string | undefined };

export type OrgPayout = { readonly orgId: OrgId; readonly payoutId: string };

export type ListedMovement = {
  readonly id: string;
  readonly kind: 'payment' | 'refund' | 'dispute' | 'returned-payout' | 'manual' | 'fee';
  readonly occurred_at: Date;
  readonly gross_cents: Cents;
  readonly fee_cents: Cents;
  readonly net_cents: Cents;
  readonly donor: string | null;
  readonly checkout_id: CheckoutId | null;
};

export async function listMovements(
  db: Kysely<Tables>,
  { orgId, payoutId }: OrgPayout,
  { max, after }: PageRequest,
): Promise<ListedMovement[]> {
  const afterCursor =
    after === undefined
      ? sql``
      : sql`and (m.occurred_at, m.movement_id) > (
          select occurred_at, movement_id from payout_movements where movement_id = ${after} and org_id = ${orgId})`;
  const { rows } = await sql<ListedMovement>`
    select m.movement_id as id, m.kind, m.occurred_at, m.gross_cents, m.fee_cents, m.net_cents,
      coalesce(c.display_name, c.email) as donor, c.id as checkout_id
    from payout_movements m
      left join payments p on p.entry_id = m.entry_id
      left join checkouts c on c.id = p.checkout_id and c.deleted_at is null
    where m.payout_id = ${payoutId} and m.org_id = ${orgId} ${afterCursor}
    order by m.occurred_at, m.movement_id limit ${max}`.execute(db);
  return rows;
}
