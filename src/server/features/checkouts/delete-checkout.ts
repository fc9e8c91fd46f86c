import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { eraseReceiptPayer } from './checkout-records.store.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, checkoutById, lockedCheckout } from './checkouts.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'now'>;

/**
 * Deletes a checkout: the payer, the account, and its page. What the ledger needs stays and names nobody: the amounts,
 * the cart (whose texts are the program's) and the provider's ids, so that a renewal, a refund or a late report still
 * finds it. A submitted story belongs to its author and stays. An open payment page is closed first.
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
      // Keeps a late report from restoring the name and email.
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

/** The provider's page if the checkout can still be paid there; it expires after a day. */
function openPageOf(checkout: CheckoutRow, now: Date): string | undefined {
  const { payment_status, provider_session_id, created_at } = checkout;
  const age = now.getTime() - created_at.getTime();
  if (payment_status !== 'unpaid' || age > CHECKOUT_OPEN_MINUTES * 60_000) return undefined;
  return provider_session_id ?? undefined;
}
