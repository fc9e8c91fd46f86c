import type { Checkout } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { type CheckoutKey, changeCheckout, checkoutById } from './checkouts.store.ts';
import { viewOf } from './read-checkout.ts';

/**
 * Marks the profile step of a paid checkout as done. It proves no payment and moves no money (decisions §3).
 * @returns Failure checkout-not-found, checkout-not-paid
 */
export async function completeCheckout(
  deps: Pick<AppDeps, 'db' | 'now'>,
  key: CheckoutKey,
): Promise<Checkout | Failure> {
  const checkout = await checkoutById(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  if (checkout.payment_status !== 'paid') return new Failure('checkout-not-paid');
  await changeCheckout(deps.db.kysely, key, { completed: true });
  return viewOf(deps, { ...checkout, completed: true });
}
