import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { GIFT_ENTRIES, type LedgerKind } from '#domain/books.ts';
import { type DonorSort, MAX_COUNTED_ROWS } from '#domain/donor.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { buildFactFromColumns, isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type DonorKey = { readonly orgId: OrgId; readonly donorId: string };

/** A listed donor: not merged with another, and with gifts in the payment mode. */
export type DonorRow = Selectable<Tables['donors']> & {
  readonly first_gift_at: Date;
  readonly last_gift_at: Date;
};

/** Must match the partial indexes' conditions. */
const IS_LISTED = sql<SqlBool>`donors.merged_into_id is null and donors.gifts > 0`;

const SORT_COLUMNS = { 'last-gift': 'last_gift_at', lifetime: 'amount_cents', name: 'sort_name' } as const;

/** A span of time. `until` is exclusive. */
export type Span = { readonly from: Date; readonly until: Date };

export type DonorPage = {
  readonly query: string;
  readonly sort: DonorSort;
  readonly max: number;
  readonly cursorRef?: string | undefined;
};

function queryListedDonors(db: Kysely<Tables>, orgId: OrgId, query: string) {
  const donors = db.selectFrom('donors').where('donors.org_id', '=', orgId).where(IS_LISTED);
  if (query.trim() === '') return donors;
  // A donor also matches by the names and addresses of donors who were merged into it.
  const matches = sql`(select coalesce(d.merged_into_id, d.id) from donors d
    where d.org_id = ${orgId} and d.search_vector @@ search_query(${query}))`;
  return donors.where(sql<SqlBool>`donors.id in ${matches}`);
}

/** Finds a page of donors. Comparing the sort column and the id as a row makes all pages equally fast. */
export async function findDonors(
  db: Kysely<Tables>,
  orgId: OrgId,
  { query, sort, max, cursorRef }: DonorPage,
): Promise<DonorRow[]> {
  const column = SORT_COLUMNS[sort];
  const [order, comparison] = sort === 'name' ? (['asc', sql`>`] as const) : (['desc', sql`<`] as const);
  const cursor = sql`(select ${sql.ref(column)}, id from donors where id = ${cursorRef ?? ''} and org_id = ${orgId})`;
  let page = queryListedDonors(db, orgId, query);
  if (cursorRef !== undefined)
    page = page.where(sql<SqlBool>`(${sql.ref(`donors.${column}`)}, donors.id) ${comparison} ${cursor}`);
  const rows = await page
    .selectAll('donors')
    .orderBy(`donors.${column}`, order)
    .orderBy('donors.id', order)
    .limit(max)
    .execute();
  if (rows.length === 0 && cursorRef !== undefined && !(await findDonorRow(db, { orgId, donorId: cursorRef })))
    throw new Failure('unknown-cursor', { cursor: cursorRef, field: 'cursorRef' });
  return rows.map(toDonorRow);
}

/** Uses the creation date as the gift dates of a donor without gifts. */
function toDonorRow(row: Selectable<Tables['donors']>): DonorRow {
  const { first_gift_at, last_gift_at, created_at } = row;
  return { ...row, first_gift_at: first_gift_at ?? created_at, last_gift_at: last_gift_at ?? created_at };
}

/** Counts donors and adds up their gifts. Stops at one more than the highest donor count that is displayed. */
export async function sumDonors(
  db: Kysely<Tables>,
  orgId: OrgId,
  query: string,
): Promise<{ readonly donors: number; readonly amount_cents: Cents }> {
  const limitedDonors = queryListedDonors(db, orgId, query)
    .select('donors.amount_cents')
    .limit(MAX_COUNTED_ROWS + 1);
  return db
    .selectFrom(limitedDonors.as('counted'))
    .select([
      sql<number>`count(*)::int4`.as('donors'),
      sql<number>`coalesce(sum(amount_cents), 0)::int8`.as('amount_cents'),
    ])
    .executeTakeFirstOrThrow();
}

/** Counts all donors, without a limit. */
export async function countDonors(db: Kysely<Tables>, orgId: OrgId): Promise<number> {
  const { donors } = await queryListedDonors(db, orgId, '')
    .select(sql<number>`count(*)::int4`.as('donors'))
    .executeTakeFirstOrThrow();
  return donors;
}

function findDonorRow(db: Kysely<Tables>, { orgId, donorId }: DonorKey) {
  return db.selectFrom('donors').selectAll().where('org_id', '=', orgId).where('id', '=', donorId).executeTakeFirst();
}

/** Finds the donor with this id or, if it was merged into another, that donor. */
export async function findDonor(db: Kysely<Tables>, key: DonorKey): Promise<DonorRow | undefined> {
  const row = await findDonorRow(db, key);
  if (!row) return undefined;
  const primaryDonor =
    row.merged_into_id === null ? row : await findDonorRow(db, { orgId: key.orgId, donorId: row.merged_into_id });
  return primaryDonor && toDonorRow(primaryDonor);
}

/** Locks the organization's totals, as every gift does, and then the donor, until the transaction ends. */
export async function lockDonor(
  tx: Transaction<Tables>,
  { orgId, donorId }: DonorKey,
): Promise<Selectable<Tables['donors']> | undefined> {
  await tx.selectFrom('ledger_totals').select('org_id').where('org_id', '=', orgId).forUpdate().execute();
  return tx
    .selectFrom('donors')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', donorId)
    .forUpdate()
    .executeTakeFirst();
}

/** Lists the donors that were merged into a donor. */
export function listMergedDonors(db: Kysely<Tables>, { orgId, donorId }: DonorKey) {
  return db
    .selectFrom('donors')
    .select(['id', 'name', 'email', 'corrected_email', 'postal_address'])
    .where('org_id', '=', orgId)
    .where('merged_into_id', '=', donorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds the language of a donor's last checkout. */
export async function findDonorLanguage(db: Kysely<Tables>, donorId: string): Promise<string | null> {
  const checkout = await db
    .selectFrom('checkouts')
    .select('language')
    .where('donor_id', '=', donorId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return checkout?.language ?? null;
}

type Contact = Pick<Selectable<Tables['donors']>, 'corrected_email' | 'postal_address' | 'correction_reason'>;

/** Updates a donor's contact data. The caller must hold the lock on the donor. */
export async function updateContact(
  tx: Transaction<Tables>,
  { orgId, donorId }: DonorKey,
  contact: Contact,
): Promise<void> {
  const donor = tx.updateTable('donors').where('org_id', '=', orgId).where('id', '=', donorId);
  // The activity log records only changed columns, so clear the reason first in case the new one is the same.
  await donor.set({ correction_reason: null }).execute();
  await donor.set(contact).execute();
}

/** Lists donors without an account whose corrected address is this verified address. */
export function listUnclaimedDonors(db: Kysely<Tables>, email: string) {
  return db
    .selectFrom('donors')
    .innerJoin('orgs', 'orgs.id', 'donors.org_id')
    .select(['donors.id', 'donors.org_id', 'donors.gifts', 'donors.last_gift_at', 'donors.created_at'])
    .select(['orgs.name as org_name', 'orgs.time_zone'])
    .where(sql<SqlBool>`lower(donors.corrected_email) = ${email}`)
    .where('donors.user_id', 'is', null)
    .where(IS_LISTED)
    .orderBy('donors.created_at')
    .orderBy('donors.id')
    .execute();
}

/** Assigns a donor's gifts, with the emails and links about them, to the owner of the corrected address. */
export async function assignGifts(
  tx: Transaction<Tables>,
  { orgId, donorId }: DonorKey,
  { userId, email }: { readonly userId: UserId; readonly email: string },
): Promise<void> {
  await sql`
    update receipts set email = ${email}, alternate_email = null
    where org_id = ${orgId} and erase_payer_after_delivery = false and ledger_entry_id in (
      select e.id from ledger_entries e join checkouts c on c.id = e.checkout_id
        where c.donor_id = ${donorId} and c.payer_erased_at is null
      union all select e.id from ledger_entries e join pledges p on p.id = e.pledge_id
        where p.donor_id = ${donorId} and p.name is not null)`.execute(tx);
  await tx
    .updateTable('checkouts')
    .set({ email, user_id: userId })
    .where('donor_id', '=', donorId)
    .where('payer_erased_at', 'is', null)
    .execute();
  await tx
    .updateTable('pledges')
    .set({ email })
    .where('donor_id', '=', donorId)
    .where('name', 'is not', null)
    .execute();
  await tx
    .updateTable('donors')
    .set({ identity: `email:${email}`, email, corrected_email: null, correction_reason: null })
    .where('id', '=', donorId)
    .execute();
  await sql`select add_account_to_donors(${userId}, ${email})`.execute(tx);
}

export async function rejectCorrection(tx: Transaction<Tables>, { orgId, donorId }: DonorKey): Promise<void> {
  await tx
    .updateTable('donors')
    .set({ corrected_email: null, correction_reason: null })
    .where('org_id', '=', orgId)
    .where('id', '=', donorId)
    .execute();
}

/**
 * Merges a donor, and those merged into it, into another donor, or separates the donor.
 * @param primaryDonorId null to separate the donor
 */
export async function moveDonors(
  tx: Transaction<Tables>,
  { orgId, donorId }: DonorKey,
  primaryDonorId: string | null,
  reason: string,
): Promise<void> {
  const { rows } = await sql<{ id: string; merged_into_id: string | null }>`
    select id, merged_into_id from donors where org_id = ${orgId} and (id = ${donorId} or merged_into_id = ${donorId})`.execute(
    tx,
  );
  const ids = rows.map(({ id }) => id);
  const donors = tx.updateTable('donors').where('id', 'in', ids);
  await donors.set({ merge_reason: null }).execute();
  await donors.set({ merged_into_id: primaryDonorId, merge_reason: reason }).execute();
  const affectedDonorIds = [...ids, primaryDonorId, ...rows.map(({ merged_into_id }) => merged_into_id)].filter(
    (id) => id !== null,
  );
  await sql`select recount_donors(${[...new Set(affectedDonorIds)]}::text[])`.execute(tx);
}

/** Selects the gifts of donors, and of those merged into them, in the payment mode. */
function selectGiftEntries(orgId: OrgId, donorIds: readonly string[]) {
  return sql<object>`(
    with members as (
      select id, coalesce(merged_into_id, id) as donor_id from donors
      where org_id = ${orgId} and (id = any(${donorIds}) or merged_into_id = any(${donorIds}))
    ), entries as (
      select m.donor_id, e.* from members m join checkouts c on c.donor_id = m.id
        join ledger_entries e on e.checkout_id = c.id
      union all select m.donor_id, e.* from members m join pledges p on p.donor_id = m.id
        join ledger_entries e on e.pledge_id = p.id
    )
    select donor_id, id, kind, amount_cents, occurred_at, checkout_id, pledge_id from entries
    where ${isOfKind('kind', GIFT_ENTRIES)} and ${isInPaymentMode('entries.livemode')})`;
}

/**
 * Amount of a gift that was returned: refunds, lost disputes, or a bounced check. Subqueries avoid hashing all payments
 * to read one page.
 */
const RETURNED_CENTS = sql<number>`case when g.kind = 'check' then
    case when exists (select from ledger_entries where fact = ${buildFactFromColumns('check-reversal', 'g.id')})
      then g.amount_cents else 0 end
  else least(coalesce((select returned_cents from payments where entry_id = g.id), 0), g.amount_cents) end`;

/** Adds up each donor's gifts, minus returns, in a span of time. Omits donors without gifts in it. */
export async function sumGiftsInSpan(
  db: Kysely<Tables>,
  orgId: OrgId,
  donorIds: readonly string[],
  { from, until }: Span,
): Promise<Map<string, Cents>> {
  const { rows } = await sql<{ donor_id: string; cents: Cents }>`
    select g.donor_id, sum(g.amount_cents - ${RETURNED_CENTS})::int8 as cents
    from ${selectGiftEntries(orgId, donorIds)} g
    where g.occurred_at >= ${from} and g.occurred_at < ${until} group by 1`.execute(db);
  return new Map(rows.map(({ donor_id, cents }) => [donor_id, cents]));
}

/** Lists the ids of each donor's gifts. */
export async function listGiftIds(
  db: Kysely<Tables>,
  orgId: OrgId,
  donorIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ donor_id: string; ids: string[] }>`
    select donor_id, array_agg(id) as ids from ${selectGiftEntries(orgId, donorIds)} g group by 1`.execute(db);
  return new Map(rows.map(({ donor_id, ids }) => [donor_id, ids]));
}

export type DonorGiftRow = {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly amount_cents: Cents;
  readonly returned_cents: Cents;
  readonly occurred_at: Date;
  readonly checkout_id: CheckoutId | null;
  readonly pledge_id: string | null;
  readonly check_number: string | null;
  readonly receipt_number: number | null;
};

/** Lists a donor's gifts, newest first, including bounced checks. */
export async function listDonorGifts(
  db: Kysely<Tables>,
  { orgId, donorId }: DonorKey,
  { max, cursorRef }: { readonly max: number; readonly cursorRef?: string | undefined },
): Promise<DonorGiftRow[]> {
  const after =
    cursorRef === undefined
      ? sql``
      : sql`where (g.occurred_at, g.id) < (
          select occurred_at, id from ledger_entries where id = ${cursorRef} and org_id = ${orgId})`;
  const { rows } = await sql<DonorGiftRow>`
    select g.id, g.kind, g.amount_cents, ${RETURNED_CENTS} as returned_cents, g.occurred_at, g.checkout_id,
      g.pledge_id,
      (select check_number from pledges where id = g.pledge_id) as check_number,
      (select printed_number from receipts where ledger_entry_id = g.id) as receipt_number
    from ${selectGiftEntries(orgId, [donorId])} g
    ${after}
    order by g.occurred_at desc, g.id desc limit ${max}`.execute(db);
  return rows;
}

/** Lists the ids of donors with a receipt in a tax year, sorted by name. */
export async function listDonorIdsOfYear(
  db: Kysely<Tables>,
  orgId: OrgId,
  year: string,
  recipients: 'everyone' | 'without-email',
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from donors d where d.org_id = ${orgId} and d.merged_into_id is null
      ${recipients === 'everyone' ? sql`` : sql`and coalesce(d.corrected_email, d.email) is null`}
      and d.id in (
        select coalesce(m.merged_into_id, m.id) from receipts r join ledger_entries e on e.id = r.ledger_entry_id
          left join checkouts c on c.id = e.checkout_id left join pledges p on p.id = e.pledge_id
          join donors m on m.id = coalesce(c.donor_id, p.donor_id)
        where r.org_id = ${orgId} and left(r.document ->> 'givenOn', 4) = ${year})
    order by d.sort_name, d.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Finds donors by id, in the given order. */
export async function findDonorsByIds(db: Kysely<Tables>, orgId: OrgId, ids: readonly string[]): Promise<DonorRow[]> {
  const rows = await db
    .selectFrom('donors')
    .selectAll()
    .where('org_id', '=', orgId)
    .where(sql<SqlBool>`id = any(${ids})`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toDonorRow(row)] : [];
  });
}
