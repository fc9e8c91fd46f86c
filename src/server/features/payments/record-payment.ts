import { Failure } from '#domain/failures.ts';
import { findCheckoutInAnyOrg } from '#server/entities/find-checkout.ts';
import type { ChargeHistory } from '#server/gateways/payments/payment-facts.ts';
import { findPaymentForCharge, type PaymentRow } from './payments.store.ts';
import { recordInvoice } from './record-invoice.ts';
import type { RecordDeps, RecordOptions } from './record-result.ts';
import { recordCheckoutSession } from './record-session.ts';

/**
 * Finds the payment of a charge. Records the payment first if its own report hasn't arrived yet.
 * @returns undefined if the charge isn't a payment to this installation; Failure payment-unavailable
 */
export async function findOrRecordPayment(
  deps: RecordDeps,
  { checkoutId, charge, origin }: ChargeHistory,
  options: RecordOptions,
): Promise<PaymentRow | undefined | Failure> {
  const { kysely } = deps.db;
  const payment = await findPaymentForCharge(kysely, charge);
  if (payment || origin === 'foreign') return payment;
  const { invoiceId, intentId } = charge;
  const checkout = checkoutId === undefined ? undefined : await findCheckoutInAnyOrg(kysely, checkoutId);
  const result = invoiceId
    ? await recordInvoice(deps, invoiceId, options)
    : checkout && intentId && (await recordCheckoutSession(deps, checkout, { intentId }, options));
  return result instanceof Failure ? result : findPaymentForCharge(kysely, charge);
}
