import type { Transaction } from 'kysely';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, lockCheckout } from '#server/entities/find-checkout.ts';
import { findVerifiedUser } from '#server/entities/find-user.ts';
import { findNewestOffsetter, recordLastOffset } from '#server/features/stories/offsetters.ts';
import { isPayer } from './payer.ts';
import { viewCheckout } from './read-checkout.ts';

/**
 * Marks the profile step of a paid checkout as completed. This isn't proof of payment and moves no money (decisions §3).
 * @returns Failure checkout-not-found, checkout-not-paid
 */
export async function completeCheckout(
  deps: Pick<AppDeps, 'db' | 'now'>,
  key: CheckoutKey,
  actor: Actor,
): Promise<Checkout | Failure> {
  const checkout = await inTransaction(deps.db, (tx) => markCompleted(tx, key, actor));
  return checkout instanceof Failure ? checkout : viewCheckout(deps, checkout, { actor });
}

async function markCompleted(tx: Transaction<Tables>, key: CheckoutKey, actor: Actor): Promise<CheckoutRow | Failure> {
  const checkout = await lockCheckout(tx, key);
  if (!checkout || checkout.deleted_at) return new Failure('checkout-not-found');
  if (checkout.payment_status !== 'paid') return new Failure('checkout-not-paid');
  const change = {
    completed: true,
    offsetter_id: checkout.offsetter_id ?? (await recordGiftOnOffsetter(tx, checkout, actor)),
  };
  await changeCheckout(tx, key, change);
  return { ...checkout, ...change };
}

/** Records the gift on the signed-in payer's existing offsetter, and returns its id. */
async function recordGiftOnOffsetter(
  tx: Transaction<Tables>,
  checkout: CheckoutRow,
  actor: Actor,
): Promise<string | null> {
  const user = await findVerifiedUser(tx, actor);
  if (!user || !isPayer(checkout, user) || !checkout.paid_at) return null;
  const { org_id: orgId, paid_at: at } = checkout;
  const offsetter = await findNewestOffsetter(tx, orgId, user.userId, 'locked');
  if (!offsetter) return null;
  await recordLastOffset(tx, orgId, offsetter.id, at);
  return offsetter.id;
}
