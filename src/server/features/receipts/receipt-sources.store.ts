import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { buildFactFromColumns } from '#server/db/fact-sql.ts';
import type { Tables } from '#server/db/tables.ts';
import type { UserFacts } from '#server/entities/find-user.ts';
import { isPublicStory } from '#server/entities/profile-fields.ts';
import type { ReceiptKey, ReceiptRow } from './receipts.store.ts';

/** A receipt with the refunds and disputes of its gift. */
export type ReceiptWithReturns = ReceiptRow & {
  readonly time_zone: string;
  /** Null for a check. */
  readonly livemode: boolean | null;
  /** Refunds that succeeded, and lost disputes. */
  readonly returned_cents: Cents;
  /** Pending refunds, which may still fail. Some of them haven't left the provider's balance yet. */
  readonly pending_cents: Cents;
  /** Amount in open disputes. */
  readonly disputed_cents: Cents;
  /** True if the gift was a check that bounced or was recorded by mistake. */
  readonly is_reversed: boolean;
};

function selectSource(db: Kysely<Tables>) {
  return db
    .selectFrom('receipts')
    .innerJoin('orgs', 'orgs.id', 'receipts.org_id')
    .leftJoin('payments', 'payments.entry_id', 'receipts.ledger_entry_id')
    .selectAll('receipts')
    .select(['orgs.time_zone', 'payments.livemode'])
    .select(
      sql<number>`coalesce(payments.returned_cents, 0) - ${sumReturns('pending', 'returned_cents')}`.as(
        'returned_cents',
      ),
    )
    .select([
      sumReturns('pending', 'amount_cents').as('pending_cents'),
      sumReturns('open', 'amount_cents').as('disputed_cents'),
    ])
    .select(
      sql<boolean>`exists (select from ledger_entries where fact = ${buildFactFromColumns('check-reversal', 'receipts.ledger_entry_id')})`.as(
        'is_reversed',
      ),
    );
}

function sumReturns(
  status: Selectable<Tables['payment_returns']>['status'],
  column: 'amount_cents' | 'returned_cents',
) {
  return sql<number>`(select coalesce(sum(payment_returns.${sql.ref(column)}), 0)::int8 from payment_returns
    where entry_id = receipts.ledger_entry_id and status = ${status})`;
}

export function findReceiptSource(
  db: Kysely<Tables>,
  { orgId, number }: ReceiptKey,
): Promise<ReceiptWithReturns | undefined> {
  return selectSource(db).where('receipts.org_id', '=', orgId).where('receipts.number', '=', number).executeTakeFirst();
}

export function findReceiptSourceByEntry(
  db: Kysely<Tables>,
  orgId: OrgId,
  entryId: string,
): Promise<ReceiptWithReturns | undefined> {
  return selectSource(db)
    .where('receipts.org_id', '=', orgId)
    .where('receipts.ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

export function findReceiptSourceByKey(
  db: Kysely<Tables>,
  orgId: OrgId,
  key: string,
): Promise<ReceiptWithReturns | undefined> {
  return selectSource(db).where('receipts.org_id', '=', orgId).where('receipts.key', '=', key).executeTakeFirst();
}

/** Lists the receipts for a user's gifts in all organizations, by gift date. */
export function listUserReceipts(
  db: Kysely<Tables>,
  { userId, email }: Pick<UserFacts, 'userId' | 'email'>,
): Promise<ReceiptWithReturns[]> {
  const belongsToUser = sql<SqlBool>`receipts.ledger_entry_id in (
    select e.id from ledger_entries e join checkouts c on c.id = e.checkout_id
      where c.user_id = ${userId} or lower(c.email) = ${email}
    union select ledger_entry_id from receipts where lower(email) = ${email}
    union select e.id from ledger_entries e join pledges p on p.id = e.pledge_id where lower(p.email) = ${email})`;
  return selectSource(db)
    .where(belongsToUser)
    .orderBy(sql`document ->> 'givenOn'`)
    .orderBy('receipts.printed_number')
    .execute();
}

/** Donors of one organization, and a tax year (all years by default). */
export type DonorScope = {
  readonly orgId: OrgId;
  readonly donorIds: readonly string[];
  readonly year?: string | undefined;
};

export type DonorReceipt = ReceiptWithReturns & { readonly donor_id: string };

/** Lists the receipts of donors and of the donors merged into them, by gift date. */
export function listDonorReceipts(db: Kysely<Tables>, { orgId, donorIds, year }: DonorScope): Promise<DonorReceipt[]> {
  const entries = sql<{ id: string; donor_id: string }>`(
    with members as (
      select id, coalesce(merged_into_id, id) as donor_id from donors
      where org_id = ${orgId} and (id = any(${donorIds}) or merged_into_id = any(${donorIds}))
    )
    select e.id, m.donor_id from members m join checkouts c on c.donor_id = m.id
      join ledger_entries e on e.checkout_id = c.id
    union all select e.id, m.donor_id from members m join pledges p on p.donor_id = m.id
      join ledger_entries e on e.pledge_id = p.id)`;
  const receipts = selectSource(db)
    .innerJoin(entries.as('gift_entries'), 'gift_entries.id', 'receipts.ledger_entry_id')
    .select('gift_entries.donor_id')
    .where('receipts.org_id', '=', orgId)
    .where('gift_entries.donor_id', 'in', donorIds);
  const receiptsInScope =
    year === undefined ? receipts : receipts.where(sql`left(document ->> 'givenOn', 4)`, '=', year);
  return receiptsInScope.orderBy(sql`document ->> 'givenOn'`).orderBy('receipts.printed_number').execute();
}

export type UndeliveredRow = ReceiptWithReturns & { readonly postal_address: string | null };

/** Postal address of the donor, or of the donor they were merged into. */
const POSTAL_ADDRESS = sql<string | null>`(
  select coalesce(primary_donor.postal_address, d.postal_address)
  from ledger_entries e
    left join checkouts c on c.id = e.checkout_id
    left join pledges p on p.id = e.pledge_id
    join donors d on d.id = coalesce(c.donor_id, p.donor_id)
    left join donors primary_donor on primary_donor.id = d.merged_into_id
  where e.id = receipts.ledger_entry_id)`;

/**
 * Lists undelivered receipts, newest first: without an address, rejected, failed, or pending since before
 * `overdueBefore`. Omits receipts without an address whose payer was erased, because they can't be sent.
 */
export function listUndeliveredReceipts(
  db: Kysely<Tables>,
  orgId: OrgId,
  { max, after, overdueBefore }: { max: number; after: string | undefined; overdueBefore: Date },
): Promise<UndeliveredRow[]> {
  const receipts = selectSource(db)
    .select(POSTAL_ADDRESS.as('postal_address'))
    .where('receipts.org_id', '=', orgId)
    .where(isUndelivered(overdueBefore));
  const lastNumber = db
    .selectFrom('receipts')
    .select('number')
    .where('ledger_entry_id', '=', after ?? '');
  const query = after === undefined ? receipts : receipts.where('receipts.number', '<', lastNumber);
  return query.orderBy('receipts.number', 'desc').limit(max).execute();
}

function isUndelivered(overdueBefore: Date) {
  return sql<SqlBool>`receipts.delivery in ('pending', 'rejected', 'failed', 'no-address')
    and (receipts.delivery <> 'pending' or receipts.delivery_at < ${overdueBefore})
    and not (receipts.delivery = 'no-address' and receipts.erase_payer_after_delivery)`;
}

export async function countUndelivered(db: Kysely<Tables>, orgId: OrgId, overdueBefore: Date): Promise<number> {
  const { receipts } = await db
    .selectFrom('receipts')
    .select(sql<number>`count(*)`.as('receipts'))
    .where('org_id', '=', orgId)
    .where(isUndelivered(overdueBefore))
    .executeTakeFirstOrThrow();
  return receipts;
}

/** @returns whether a story by the gift's donor is public. Ignores stories whose claim is pending. */
export async function hasPublicStory(
  db: Kysely<Tables>,
  orgId: OrgId,
  { email, checkoutId }: { readonly email: string; readonly checkoutId: CheckoutId },
): Promise<boolean> {
  const story = await db
    .selectFrom('offsetters')
    .select('id')
    .where('org_id', '=', orgId)
    .where(isPublicStory('offsetters'))
    .where('claim', 'is', null)
    .where(sql<SqlBool>`(lower(email) = ${email.toLowerCase()} or checkout_id = ${checkoutId})`)
    .limit(1)
    .executeTakeFirst();
  return story !== undefined;
}
