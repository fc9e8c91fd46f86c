import type { Transaction } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { calculateCheckoutStatus } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inLedgerTransaction, inTransaction } from '#server/db/transaction.ts';
import { type CheckoutRow, changeCheckout, lockCheckout } from '#server/entities/find-checkout.ts';
import { addOrReopenAttentionItem, resolveAttentionAutomatically } from '#server/features/attention/attention.ts';
import { notifyDonorOfReturn } from '#server/features/receipts/add-note-to-receipt.ts';
import {
  findOffsetterByCheckout,
  hideAfterRefund,
  unhideAfterFailedReturn,
} from '#server/features/stories/offsetters.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { ChargeFacts, ChargeHistory } from '#server/gateways/payments/payment-facts.ts';
import { listCheckoutPayments, lockPayment, type PaymentRow } from './payments.store.ts';
import { isSettlementRecorded, recordSettlement } from './post-movement.ts';
import { postReturns } from './post-returns.ts';
import { findOrRecordPayment } from './record-payment.ts';
import type { RecordDeps, RecordOptions, RecordResult } from './record-result.ts';

/**
 * Reads a charge from the provider and posts its fee, refunds, and disputes unless they are already posted. They can be
 * reported in any order, even before the payment itself. Safe to repeat.
 * @returns Failure payment-unavailable
 */
export async function recordCharge(
  deps: RecordDeps,
  chargeId: string,
  options: RecordOptions = {},
): Promise<RecordResult | Failure> {
  const history = await deps.payments.readCharge(chargeId);
  if (history instanceof Failure) return history;
  if (history === 'unknown') return { outcome: 'unknown' };
  const payment = await findOrRecordPayment(deps, history, options);
  if (payment instanceof Failure) return payment;
  if (!payment) return isOurs(history) ? reportUnbookedReturns(deps, history) : { outcome: 'ignored' };
  if (!isFullyRecorded(payment, history))
    await inLedgerTransaction(deps.db, (tx) => recordChargeHistory(tx, deps, payment, history));
  const { checkout_id: checkoutId, session_id: sessionId } = payment;
  const isSettled = history.charge.settlement !== undefined;
  const settledPayment = isSettled ? { sessionId: sessionId ?? undefined, chargeId } : undefined;
  return { outcome: 'recorded', checkoutId, settledPayment };
}

/** Detects the most common report: the charge has no refunds or disputes, and its fee is posted. */
function isFullyRecorded(payment: PaymentRow, { charge, refunds, disputes }: ChargeHistory): boolean {
  const hasReturns = refunds.length > 0 || disputes.length > 0 || payment.status !== 'succeeded';
  return !hasReturns && isSettlementRecorded(payment, charge);
}

/**
 * Lists refunds and disputes of a payment that isn't in the books under "Needs attention". Reopens a settled item if the
 * amount changes later.
 */
async function reportUnbookedReturns({ db, now }: RecordDeps, history: ChargeHistory): Promise<RecordResult> {
  const returns = [...history.refunds, ...history.disputes].filter(
    ({ status }) => status !== 'failed' && status !== 'won',
  );
  const [firstReturn] = returns;
  if (!firstReturn) {
    await inTransaction(db, (tx) =>
      resolveAttentionAutomatically(tx, toAttentionSubject(history.charge), now(), 'The money was returned.'),
    );
    return { outcome: 'ignored' };
  }
  const reason = 'unknown-payment';
  const total = returns.reduce((sum, { amount }) => sum + amount, 0);
  await inTransaction(db, (tx) =>
    addOrReopenAttentionItem(tx, {
      ...history,
      subject: toAttentionSubject(history.charge),
      reason,
      amount: total,
      occurredAt: firstReturn.occurredAt,
    }),
  );
  return { outcome: 'attention', reason, checkoutId: history.checkoutId };
}

function toAttentionSubject({ chargeId }: ChargeFacts): string {
  return attentionSubject('charge', chargeId);
}

async function recordChargeHistory(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  { entry_id: entryId, org_id: orgId, checkout_id: checkoutId }: PaymentRow,
  history: ChargeHistory,
): Promise<void> {
  // All transactions that change money lock rows in this order.
  const checkout = await lockCheckout(tx, { orgId, checkoutId });
  const offsetter = await findOffsetterByCheckout(tx, orgId, checkoutId, 'locked');
  const payment = await lockPayment(tx, entryId);
  if (!checkout || !payment) throw new Error('The checkout of a payment is missing.');
  const isPayerErased = checkout.payer_erased_at !== null;
  await recordSettlement(tx, deps, payment, history.charge);
  const notices = await postReturns(tx, deps, { payment, isPayerErased }, history);
  // If the first payment failed, a successful renewal doesn't change the checkout's status.
  if (checkout.paid_at !== null) await updateStatus(tx, checkout, offsetter?.id);
  for (const notice of notices) await notifyDonorOfReturn(tx, deps, { ...notice, orgId, entryId, isPayerErased });
  await resolveAttentionAutomatically(tx, toAttentionSubject(history.charge), deps.now());
}

/** Updates a checkout's status based on its payments, and hides or shows its story. */
async function updateStatus(
  tx: Transaction<Tables>,
  checkout: CheckoutRow,
  offsetterId: string | undefined,
): Promise<void> {
  const { org_id: orgId, id: checkoutId } = checkout;
  const payments = await listCheckoutPayments(tx, checkoutId);
  const status = calculateCheckoutStatus(payments);
  const firstPayment = payments.find(({ renewal }) => !renewal);
  const firstStatus = firstPayment && calculateCheckoutStatus([firstPayment]);
  const firstPaymentStatus = firstStatus === undefined || firstStatus === status ? null : firstStatus;
  const isChanged = status !== checkout.payment_status;
  if (!isChanged && firstPaymentStatus === checkout.first_payment_status) return;
  await changeCheckout(tx, { orgId, checkoutId }, { payment_status: status, first_payment_status: firstPaymentStatus });
  if (!isChanged || offsetterId === undefined) return;
  if (status === 'paid') await unhideAfterFailedReturn(tx, orgId, offsetterId);
  else await hideAfterRefund(tx, orgId, offsetterId);
}
