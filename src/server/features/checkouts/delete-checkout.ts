import { isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  type CheckoutKey,
  type CheckoutRow,
  changeCheckout,
  findCheckoutRow,
  lockCheckout,
} from '#server/entities/find-checkout.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { eraseReceiptPayer } from '#server/features/receipts/issue-receipt.ts';
import { removeOffsetter } from '#server/features/stories/edit-offsetter.ts';
import { findOffsetterByCheckout } from '#server/features/stories/offsetters.ts';
import { hasOtherPaidCheckout } from './checkouts.store.ts';

/**
 * Deletes a checkout's page, payer, and account link (decisions §3). The anonymous data that the ledger needs stays:
 * amounts, the cart, and the provider's ids, so that a refund or a late report still finds the checkout. The story is
 * deleted unless the donor has another paid checkout.
 *
 * First closes the payment page, records the outcome (so that a last-minute payment gets its receipt), and cancels any
 * recurring gift.
 * @returns Failure checkout-not-found, checkout-not-closed, checkout-processing
 */
export async function deleteCheckout(deps: RecordDeps, key: CheckoutKey): Promise<Record<string, never> | Failure> {
  const checkout = await findCheckoutRow(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const failure = await endPayments(deps, checkout);
  if (failure) return failure;
  const result = await inTransaction(deps.db, async (tx) => {
    const lockedCheckout = await lockCheckout(tx, key);
    if (!lockedCheckout || lockedCheckout.deleted_at) return new Failure('checkout-not-found');
    if (lockedCheckout.payment_status === 'processing') return new Failure('checkout-processing');
    const now = deps.now();
    const story = await findOffsetterByCheckout(tx, key.orgId, key.checkoutId, 'locked');
    if (story && !(await hasOtherPaidCheckout(tx, key, story.id)))
      await removeOffsetter(tx, deps.jobs, { orgId: key.orgId, id: story.id });
    await changeCheckout(tx, key, {
      deleted_at: now,
      // Keeps a late report from restoring the name and email, and makes a trigger erase the tribute.
      payer_erased_at: lockedCheckout.payer_erased_at ?? now,
      email: null,
      display_name: null,
      user_id: null,
      offsetter_id: null,
      creator_hash: null,
      provider_customer_id: null,
      language: null,
      payment_url: null,
    });
    await eraseReceiptPayer(tx, key.orgId, key.checkoutId);
    return {};
  });
  // No trigger detects that a remaining story now shows fewer offset pounds.
  if (!(result instanceof Failure)) await deps.db.changes.announce([key.orgId]);
  return result;
}

async function endPayments(deps: RecordDeps, checkout: CheckoutRow): Promise<Failure | undefined> {
  const { provider_session_id: sessionId, payment_status: status } = checkout;
  if (sessionId !== null && isUnsettled(status)) {
    const closeResult = await deps.payments.closeSession(sessionId);
    const recordResult = closeResult instanceof Failure ? closeResult : await recordSession(deps, sessionId);
    if (recordResult instanceof Failure) return new Failure('checkout-not-closed');
  }
  const key = { orgId: checkout.org_id, checkoutId: checkout.id };
  const latestCheckout = await findCheckoutRow(deps.db.kysely, key);
  if (latestCheckout?.payment_status === 'processing') return new Failure('checkout-processing');
  if (!latestCheckout?.provider_subscription_id) return undefined;
  const cancellation = await deps.payments.cancelSubscription(latestCheckout.provider_subscription_id);
  return cancellation instanceof Failure ? new Failure('checkout-not-closed') : undefined;
}
