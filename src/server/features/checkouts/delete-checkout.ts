import { isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  type CheckoutKey,
  type CheckoutRow,
  changeCheckout,
  checkoutById,
  lockedCheckout,
} from '#server/entities/find-checkout.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { eraseReceiptPayer } from '#server/features/receipts/issue-receipt.ts';
import { removeOffsetter } from '#server/features/stories/edit-offsetter.ts';
import { offsetterOfCheckout } from '#server/features/stories/offsetters.ts';
import { gaveElse } from './checkouts.store.ts';

/**
 * Deletes a checkout: the payer, the account, and its page. What the ledger needs stays and names nobody: the amounts,
 * the cart (whose texts are the program's) and the provider's ids, so that a refund or a late report still finds it. Its
 * story is deleted, unless the donor gave again: then it is also that gift's. First its payment page is closed, what became of it is recorded, so
 * that a payment made just before has its receipt, and a recurring gift is ended (decisions §3).
 * @returns Failure checkout-not-found, checkout-not-closed, checkout-processing
 */
export async function deleteCheckout(deps: RecordDeps, key: CheckoutKey): Promise<Record<string, never> | Failure> {
  const checkout = await checkoutById(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const refusal = await stopCharging(deps, checkout);
  if (refusal) return refusal;
  const result = await inTransaction(deps.db, async (tx) => {
    const locked = await lockedCheckout(tx, key);
    if (!locked || locked.deleted_at) return new Failure('checkout-not-found');
    if (locked.payment_status === 'processing') return new Failure('checkout-processing');
    const now = deps.now();
    const story = await offsetterOfCheckout(tx, key.orgId, key.checkoutId, 'locked');
    if (story && !(await gaveElse(tx, key, story.id)))
      await removeOffsetter(tx, deps.jobs, { orgId: key.orgId, id: story.id });
    await changeCheckout(tx, key, {
      deleted_at: now,
      // Keeps a late report from restoring the name and email, and erases the tribute by a trigger.
      forgotten_at: locked.forgotten_at ?? now,
      email: null,
      display_name: null,
      user_id: null,
      offsetter_id: null,
      provider_customer_id: null,
      language: null,
      payment_url: null,
    });
    await eraseReceiptPayer(tx, key.orgId, key.checkoutId);
    return {};
  });
  // No trigger detects that a remaining story shows fewer offset pounds now.
  if (!(result instanceof Failure)) await deps.db.changes.announce([key.orgId]);
  return result;
}

async function stopCharging(deps: RecordDeps, checkout: CheckoutRow): Promise<Failure | undefined> {
  const { provider_session_id: sessionId, payment_status: status } = checkout;
  if (sessionId !== null && isUnsettled(status)) {
    const closed = await deps.payments.close(sessionId);
    const recorded = closed instanceof Failure ? closed : await recordSession(deps, sessionId);
    if (recorded instanceof Failure) return new Failure('checkout-not-closed');
  }
  const key = { orgId: checkout.org_id, checkoutId: checkout.id };
  const now = await checkoutById(deps.db.kysely, key);
  if (now?.payment_status === 'processing') return new Failure('checkout-processing');
  if (!now?.provider_subscription_id) return undefined;
  const ended = await deps.payments.cancelSubscription(now.provider_subscription_id);
  return ended instanceof Failure ? new Failure('checkout-not-closed') : undefined;
}
