import type { ParsedBody } from '#contract/schemas.ts';
import { reasonFailure, refundableCents } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents, toChargedCents } from '#domain/money.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';
import { addField } from '#server/http/problems.ts';
import { findRefundablePayment, listPaymentReturns, type PaymentRow } from './payments.store.ts';
import { recordCharge } from './record-charge.ts';
import type { RecordDeps } from './record-result.ts';

/** Begins the charge ids of the sample's gifts, which the provider doesn't know. */
export const SAMPLE_CHARGE_PREFIX = 'sample-';

export function isSampleCharge({ charge_id }: Pick<PaymentRow, 'charge_id'>): boolean {
  return charge_id?.startsWith(SAMPLE_CHARGE_PREFIX) ?? false;
}

/**
 * Refunds all or part of a payment at the provider, and records the result. The provider decides how much can still be
 * refunded. Repeating a request doesn't refund twice.
 * @returns Failure payment-not-found, no-reason, reason-too-long, refund-of-sample, refund-unavailable, or the provider's
 * reason
 */
export async function refundPayment(
  deps: RecordDeps,
  key: CheckoutKey,
  { requestid: requestId, entryid: entryId, amount, reason }: ParsedBody<'refundPayment'>,
  actorId: string,
): Promise<{ recorded: boolean } | Failure> {
  const failure = addField('reason', reasonFailure(reason));
  if (failure) return failure;
  const payment = await findRefundablePayment(deps.db.kysely, key, entryId);
  if (!payment) return new Failure('payment-not-found');
  if (isSampleCharge(payment)) return new Failure('refund-of-sample');
  const refund = await deps.payments.refund({
    charge: toChargeIds(payment),
    amount: amount === undefined ? undefined : toChargedCents(amount),
    reason: reason.trim(),
    actorId,
    key: `${entryId}-${requestId}`,
  });
  if (refund instanceof Failure) return explainRefundFailure(deps, payment, refund);
  const result = await recordCharge(deps, refund.chargeId);
  return { recorded: !(result instanceof Failure) && result.outcome === 'recorded' };
}

function toChargeIds({ charge_id, intent_id, invoice_id }: PaymentRow) {
  return {
    ...(charge_id === null ? {} : { chargeId: charge_id }),
    ...(intent_id === null ? {} : { intentId: intent_id }),
    ...(invoice_id === null ? {} : { invoiceId: invoice_id }),
  };
}

async function explainRefundFailure(deps: RecordDeps, payment: PaymentRow, { code }: Failure): Promise<Failure> {
  if (code === 'payment-unavailable') return new Failure('refund-unavailable');
  // The payment may have been refunded at the provider since it was last recorded.
  if (payment.charge_id !== null) await recordCharge(deps, payment.charge_id);
  if (code !== 'refund-too-much') return new Failure(code);
  const { org_id: orgId, checkout_id: checkoutId, entry_id } = payment;
  const latestPayment = (await findRefundablePayment(deps.db.kysely, { orgId, checkoutId }, entry_id)) ?? payment;
  const refundable = refundableCents(latestPayment, await listPaymentReturns(deps.db.kysely, entry_id));
  return new Failure('refund-too-much', { left: formatCents(refundable), field: 'amount' });
}
