import { type Insertable, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';
import type { UserFacts } from '#server/entities/find-user.ts';

/** Without its payer if their account is being deleted: the gift is welcome all the same. */
export async function insertCheckout(
  db: Kysely<Tables>,
  checkout: Omit<Insertable<Tables['checkouts']>, 'user_id' | 'display_name'>,
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
