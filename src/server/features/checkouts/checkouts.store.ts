import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { CheckoutsTable, Tables } from '#server/db/tables.ts';
import type { UserFacts } from '#server/users/find-user.ts';

export type CheckoutRow = Selectable<CheckoutsTable>;
export type CheckoutKey = { readonly orgId: string; readonly checkoutId: string };
export type CheckoutChange = Omit<Updateable<CheckoutsTable>, 'id' | 'org_id'>;

/** Without its payer if their account is being deleted: the gift is welcome all the same. */
export async function insertCheckout(
  db: Kysely<Tables>,
  checkout: Omit<Insertable<CheckoutsTable>, 'user_id' | 'display_name'>,
  payer: UserFacts | undefined,
): Promise<void> {
  const ofPayer = (value: RawBuilder<unknown>) =>
    sql<string | null>`(select ${value} from users where id = ${payer?.userId ?? null} for key share)`;
  const display_name = ofPayer(sql`${payer?.displayName || null}::text`);
  await db
    .insertInto('checkouts')
    .values({ ...checkout, user_id: ofPayer(sql`id`), display_name })
    .execute();
}

/** A checkout, unless it was deleted. */
export function checkoutById(db: Kysely<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return oneCheckout(db, key).where('deleted_at', 'is', null).executeTakeFirst();
}

/** Whether any of its money went back, or is on its way. */
export async function hasReturns(db: Kysely<Tables>, checkoutId: string): Promise<boolean> {
  const found = await db
    .selectFrom('payments')
    .select('entry_id')
    .where('checkout_id', '=', checkoutId)
    .where('refunded_cents', '>', 0)
    .executeTakeFirst();
  return found !== undefined;
}

/** For the provider's reports: ids are unique across organizations, and the money of deleted checkouts still counts. */
export function checkoutByIdOnly(db: Kysely<Tables>, id: string): Promise<CheckoutRow | undefined> {
  return db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Also finds deleted checkouts, whose money still counts. */
export function lockedCheckout(tx: Transaction<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return oneCheckout(tx, key).forUpdate().executeTakeFirst();
}

function oneCheckout(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey) {
  return db.selectFrom('checkouts').selectAll().where('org_id', '=', orgId).where('id', '=', checkoutId);
}

export async function changeCheckout(db: Kysely<Tables>, key: CheckoutKey, change: CheckoutChange): Promise<void> {
  await db
    .updateTable('checkouts')
    .set(change)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.checkoutId)
    .execute();
}

/** Whether a donor's offsetter has another paid checkout. */
export async function gaveElse(
  tx: Transaction<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  offsetterId: string,
): Promise<boolean> {
  const other = await tx
    .selectFrom('checkouts')
    .select('id')
    .where('org_id', '=', orgId)
    .where('offsetter_id', '=', offsetterId)
    .where('id', '<>', checkoutId)
    .where('deleted_at', 'is', null)
    .where('paid_at', 'is not', null)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Records that the provider is being asked about an unsettled checkout, unless it was asked since `notSince`.
 * Of many at once, only one may ask. @returns the session to ask about, for that one
 */
export async function claimAsking(
  db: Kysely<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  { now, notSince }: { now: Date; notSince: Date },
): Promise<string | undefined> {
  const claimed = await db
    .updateTable('checkouts')
    .set({ asked_provider_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', checkoutId)
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where((row) => row.or([row('asked_provider_at', 'is', null), row('asked_provider_at', '<=', notSince)]))
    .returning('provider_session_id')
    .executeTakeFirst();
  return claimed?.provider_session_id ?? undefined;
}

/**
 * The unsettled checkouts, of all organizations, that the provider should be asked about again: first after a minute,
 * then less and less often, but at least every hour; the ones that waited longest first. Clients take turns, so that
 * one that opened thousands delays no other.
 */
export async function checkoutsToAsk(db: Kysely<Tables>, now: Date, most: number): Promise<CheckoutRow[]> {
  const age = sql`${now}::timestamptz - created_at`;
  const pause = sql<Date>`least(greatest(interval '1 minute', (${age}) / 10), interval '1 hour')`;
  const waitedSince = sql`coalesce(asked_provider_at, created_at)`;
  const turn = sql<number>`row_number() over (partition by coalesce(client, id) order by ${waitedSince}, id)`;
  const due = await db
    .selectFrom('checkouts')
    .select(['id', turn.as('turn'), waitedSince.as('waited_since')])
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where(sql<boolean>`${waitedSince} <= ${now}::timestamptz - ${pause}`)
    .orderBy('turn')
    .orderBy('waited_since')
    .orderBy('id')
    .limit(most)
    .execute();
  const rows = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', 'in', ['', ...due.map(({ id }) => id)])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return due.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Forgets from where checkouts were opened. */
export async function forgetClients(db: Kysely<Tables>, createdBefore: Date): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ client: null })
    .where('client', 'is not', null)
    .where('created_at', '<', createdBefore)
    .execute();
}

/** Deletes checkouts that nobody paid, and that nothing was ever reported about. */
export async function deleteNeverPaid(db: Kysely<Tables>, createdBefore: Date): Promise<void> {
  await sql`
    delete from checkouts c where payment_status = 'expired' and created_at < ${createdBefore}
      and paid_at is null and provider_payment_id is null and provider_subscription_id is null
      and not exists (select from ledger_entries where checkout_id = c.id)
      and not exists (select from payments where checkout_id = c.id)
      and not exists (select from subscriptions where checkout_id = c.id)
      and not exists (select from tributes where checkout_id = c.id)
      and not exists (select from receipts where checkout_id = c.id)
      and not exists (select from offsetters where checkout_id = c.id)
      and not exists (select from attention_items where checkout_id = c.id)`.execute(db);
}

/** Expires checkouts whose payment page never opened. @returns how many */
export async function expireUnopened(db: Kysely<Tables>, createdBefore: Date): Promise<number> {
  const expired = await db
    .updateTable('checkouts')
    .set({ payment_status: 'expired' })
    .where('payment_status', '=', 'unpaid')
    .where('provider_session_id', 'is', null)
    .where('created_at', '<', createdBefore)
    .executeTakeFirst();
  return Number(expired.numUpdatedRows);
}
