import { type Kysely, sql } from 'kysely';
import { GIFT_AND_RETURN_ENTRIES, GIFT_ENTRIES, ONLINE_GIFT_ENTRIES } from '#domain/books.ts';
import type { Day } from '#domain/days.ts';
import type { GrantField, Measure, Method } from '#domain/grant.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import { isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { isPublicStory, type StoryRow } from '#server/entities/profile-fields.ts';

/** A gift in the ledger (payment, renewal, or check), or a return (refund, dispute, or bounced check). */
export type MoneyMovement = {
  readonly id: string;
  readonly kind: 'gift' | 'return';
  /** For a return, the gift's ledger entry. */
  readonly gift_id: string | null;
  readonly occurred_at: Date;
  /** Amount paid for a gift; amount returned for a return. */
  readonly cents: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** For a gift, the card processor's fee; 0 if it isn't known yet. */
  readonly fee_cents: Cents;
  readonly checkout_id: CheckoutId | null;
};

/** Lists an organization's gifts and returns in the payment mode that counts toward its totals. */
export async function listMoneyMovements(db: Kysely<Tables>, orgId: OrgId): Promise<MoneyMovement[]> {
  const { rows } = await sql<MoneyMovement>`
    with entries as (
      select id, kind, checkout_id, payment_entry_id, reversed_entry_id, amount_cents, carbon, occurred_at
      from ledger_entries e
      where org_id = ${orgId} and ${isOfKind('kind', GIFT_AND_RETURN_ENTRIES)}
        and (amount_cents <> 0 or carbon <> 0) and ${isInPaymentMode('e.livemode')}
    ), gifts as (select * from entries where ${isOfKind('kind', GIFT_ENTRIES)}),
    returns as (
      select *, coalesce(payment_entry_id, reversed_entry_id) as gift_id
      from entries where kind in ('refund', 'dispute', 'reversal')
    )
    select g.id, 'gift' as kind, null as gift_id, g.occurred_at, g.amount_cents as cents, g.carbon,
      coalesce(p.fee_cents, 0) as fee_cents, g.checkout_id
    from gifts g left join payments p on p.entry_id = g.id
    union all
    select r.id, 'return', r.gift_id, r.occurred_at, -r.amount_cents, -r.carbon, 0, r.checkout_id
    from returns r where r.gift_id in (select id from gifts)`.execute(db);
  return rows;
}

/** Grant fields for the allocation, including those that donors may see. */
export type AllocatedGrantRow = {
  readonly id: string;
  readonly awardee_id: string;
  readonly amount_cents: Cents;
  readonly other_funding_cents: Cents;
  readonly claims_full_savings: boolean;
  readonly measures: readonly Measure[];
  readonly installer: string;
  readonly yearly_carbon: TenThousandthsOfPound;
  readonly years: number;
  readonly method: Method;
  readonly method_source: string;
  readonly published_fields: readonly GrantField[];
  readonly paid_on: Day | null;
  readonly paid_entry_id: string | null;
  readonly paid_cents: Cents | null;
  readonly done_on: Day | null;
  readonly inspected_on: Day | null;
};

/** Hides the name of an installer whose page isn't published. */
const PUBLIC_INSTALLER = sql<string>`case when installer_id is null then installer else coalesce(
  (select name from installers i where i.id = installer_id and i.org_id = grants.org_id and i.status = 'published'), '') end`.as(
  'installer',
);

export function listGrants(db: Kysely<Tables>, orgId: OrgId): Promise<AllocatedGrantRow[]> {
  return db
    .selectFrom('grants')
    .select([
      'id',
      'awardee_id',
      'amount_cents',
      'other_funding_cents',
      'claims_full_savings',
      'measures',
      'yearly_carbon',
    ])
    .select(PUBLIC_INSTALLER)
    .select([
      'years',
      'method',
      'method_source',
      'published_fields',
      'paid_on',
      'paid_entry_id',
      'paid_cents',
      'done_on',
    ])
    .select('inspected_on')
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type GrantEntryRow = {
  readonly id: string;
  readonly grant_id: string;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  /** Negative for a reversed payment. */
  readonly cents: Cents;
  /** The payment that this entry reverses. */
  readonly reversed_id: string | null;
};

/** Lists grant payments and their reversals, with the amount that left the bank. */
export async function listGrantEntries(db: Kysely<Tables>, orgId: OrgId): Promise<GrantEntryRow[]> {
  const { rows } = await sql<GrantEntryRow>`
    select e.id, e.grant_id, e.occurred_at, e.created_at as recorded_at, -l.cents as cents,
      e.reversed_entry_id as reversed_id
    from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    where e.org_id = ${orgId} and e.kind = 'grant' and ${isInPaymentMode('e.livemode')}`.execute(db);
  return rows;
}

/** Reads a version that changes whenever anything that affects the organization's allocation changes. */
export async function readAllocationVersion(db: Kysely<Tables>, orgId: OrgId): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select version::text || coalesce((select livemode::text from payment_mode), '') as version
    from org_versions where org_id = ${orgId}`.execute(db);
  return rows[0]?.version ?? '';
}

/** Finds the awardees with these ids whose stories are published. */
export async function findPublishedAwardees(
  db: Kysely<Tables>,
  orgId: OrgId,
  ids: readonly string[],
): Promise<StoryRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('awardees')
    .select(['id', 'name', 'story', 'photo', 'created_at', sql<'full'>`'full'`.as('shown_as')])
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where(isPublicStory('awardees'))
    .execute();
}

/** Finds the entries with these ids that have an open dispute. */
export async function findDisputedEntries(db: Kysely<Tables>, entryIds: readonly string[]): Promise<Set<string>> {
  const openDisputes = db.selectFrom('payment_returns').select('entry_id').where('status', '=', 'open');
  const rows = entryIds.length === 0 ? [] : await openDisputes.where('entry_id', 'in', entryIds).execute();
  return new Set(rows.map(({ entry_id }) => entry_id));
}

/** Lists all payments of an entry's recurring gift, or only the entry if its gift isn't recurring. */
export async function listPaymentsOfSameGift(db: Kysely<Tables>, orgId: OrgId, entryId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ledger_entries payment join ledger_entries e on e.id = payment.id
      or (e.org_id = payment.org_id and e.checkout_id = payment.checkout_id and ${isOfKind('e.kind', ONLINE_GIFT_ENTRIES)})
    where payment.org_id = ${orgId} and payment.id = ${entryId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the payments of all of an offsetter's gifts. */
export async function listOffsetterPayments(db: Kysely<Tables>, orgId: OrgId, offsetterId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('checkouts')
    .innerJoin('ledger_entries', 'ledger_entries.checkout_id', 'checkouts.id')
    .select('ledger_entries.id')
    .where('checkouts.org_id', '=', orgId)
    .where('checkouts.offsetter_id', '=', offsetterId)
    .where('ledger_entries.kind', 'in', ONLINE_GIFT_ENTRIES)
    .execute();
  return rows.map(({ id }) => id);
}
