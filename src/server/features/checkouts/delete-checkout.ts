import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { eraseReceiptPayer } from './checkout-records.store.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, checkoutById, lockedCheckout } from './checkouts.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'now'>;

/**
 * Takes a visitor's record away: who paid, the account, and the checkout itself for whoever has its link. What the
 * ledger needs stays and names nobody: the sums, the cart (its words are the program's own) and the provider's ids, so
 * that a renewal, a refund or a late report finds it. A story that was told of it is its teller's, and stays. A page
 * that could still be paid on is closed first.
 * @returns Failure checkout-not-found, checkout-not-closed
 */
export async function deleteCheckout(deps: Deps, key: CheckoutKey): Promise<Record<string, never> | Failure> {
  const checkout = await checkoutById(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const open = openPageOf(checkout, deps.now());
  if (open !== undefined && (await deps.payments.close(open)) instanceof Failure) {
    return new Failure('checkout-not-closed');
  }
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockedCheckout(tx, key);
    if (!locked || locked.deleted_at) return new Failure('checkout-not-found');
    const now = deps.now();
    await changeCheckout(tx, key, {
      deleted_at: now,
      // A late report does not bring the name and the address back.
      forgotten_at: locked.forgotten_at ?? now,
      email: null,
      display_name: null,
      user_id: null,
      offsetter_id: null,
      provider_customer_id: null,
      payment_url: null,
    });
    await eraseReceiptPayer(tx, key);
    return {};
  });
}

/** The provider's page on which a checkout may still be paid; by itself it closes after a day. */
function openPageOf(checkout: CheckoutRow, now: Date): string | undefined {
  const { payment_status, provider_session_id, created_at } = checkout;
  const age = now.getTime() - created_at.getTime();
  if (payment_status !== 'unpaid' || age > CHECKOUT_OPEN_MINUTES * 60_000) return undefined;
  return provider_session_id ?? undefined;
}
