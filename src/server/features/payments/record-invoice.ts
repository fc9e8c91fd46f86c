import type { Transaction } from 'kysely';
import type { AttentionReason } from '#domain/attention.ts';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { calculateCarbonShare } from '#domain/books.ts';
import { type CartItem, cartCarbon, cartTotal, recurringItems } from '#domain/cart.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inLedgerTransaction, inTransaction } from '#server/db/transaction.ts';
import { type CheckoutRow, findCheckoutInAnyOrg, lockReportedCheckout } from '#server/entities/find-checkout.ts';
import { reportForAttention, resolveAttentionAutomatically } from '#server/features/attention/attention.ts';
import { recordFailedRenewal } from '#server/features/recurring-gifts/record-failed-renewal.ts';
import { saveSubscription } from '#server/features/recurring-gifts/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { InvoiceFacts } from '#server/gateways/payments/payment-facts.ts';
import { type NewGift, postGift } from './post-gift.ts';
import type { RecordDeps, RecordOptions, RecordResult } from './record-result.ts';
import { recordCheckoutSession } from './record-session.ts';

/**
 * Records an invoice of a recurring gift: each paid renewal counts once and gets one receipt. The first invoice belongs to
 * the payment page, which is recorded instead. Invoices can be recorded repeatedly and in any order.
 * @returns Failure payment-unavailable
 */
export async function recordInvoice(
  deps: RecordDeps,
  invoiceId: string,
  options: RecordOptions = {},
): Promise<RecordResult | Failure> {
  const readAt = deps.now();
  const invoice = await deps.payments.readInvoice(invoiceId);
  if (invoice instanceof Failure) return invoice;
  if (invoice === 'unknown') return { outcome: 'unknown' };
  const { checkoutId, subscriptionId } = invoice;
  if (!isOurs(invoice) || checkoutId === undefined) return { outcome: 'ignored' };
  const outsidePaymentResult =
    invoice.isPaid && invoice.paidOutsideStripe > 0 ? await reportOutsidePayment(deps, invoice) : undefined;
  const checkout = await findCheckoutInAnyOrg(deps.db.kysely, checkoutId);
  // Record the payment page before a renewal, so that the checkout has its subscription id.
  const hasSubscription = checkout?.provider_subscription_id != null;
  if (checkout && subscriptionId !== undefined && (invoice.isFirst || !hasSubscription)) {
    const sessionResult = await recordCheckoutSession(deps, checkout, { subscriptionId }, options);
    if (sessionResult instanceof Failure) return sessionResult;
    if (invoice.isFirst) return outsidePaymentResult ?? sessionResult;
  }
  if (invoice.isFirst) return outsidePaymentResult ?? { outcome: 'ignored' };
  const { subscription, failure } = invoice;
  if (subscription && failure) {
    return inTransaction(deps.db, (tx) =>
      recordFailedRenewal(tx, deps, { ...failure, invoiceId, subscription }, readAt),
    );
  }
  if (!invoice.isPaid || invoice.amount === 0) return outsidePaymentResult ?? { outcome: 'ignored' };
  return inLedgerTransaction(deps.db, (tx) =>
    recordRenewal(tx, deps, { facts: invoice, readAt, isRecovery: options.isRecovery ?? false }),
  );
}

/** The provider has no charge for money paid elsewhere, such as by check, so a person must find it. */
function reportOutsidePayment({ db, now }: RecordDeps, facts: InvoiceFacts): Promise<RecordResult> {
  return inTransaction(db, (tx) =>
    reportForAttention(tx, {
      ...facts,
      subject: attentionSubject('paid-outside', facts.invoiceId),
      reason: 'paid-outside',
      amount: facts.paidOutsideStripe,
      occurredAt: now(),
    }),
  );
}

async function recordRenewal(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  { facts, readAt, isRecovery }: { readonly facts: InvoiceFacts; readonly readAt: Date; readonly isRecovery: boolean },
): Promise<RecordResult> {
  const checkout = await lockReportedCheckout(tx, facts);
  if (!checkout) return reportMismatch(tx, deps, facts, 'no-checkout');
  const mismatch = findMismatch(checkout, facts);
  if (mismatch) return reportMismatch(tx, deps, facts, mismatch);
  if (facts.subscription) await saveSubscription(tx, deps, facts.subscription, readAt);
  await postGift(tx, deps, { ...toGift(deps, checkout, facts), isRecovery });
  await resolveAttentionAutomatically(tx, toAttentionSubject(facts), deps.now());
  return { outcome: 'recorded', checkoutId: checkout.id };
}

function findMismatch(checkout: CheckoutRow, facts: InvoiceFacts): AttentionReason | undefined {
  if (checkout.provider_subscription_id !== facts.subscriptionId) return 'subscription';
  return checkout.currency === facts.currency ? undefined : 'currency';
}

async function reportMismatch(
  tx: Transaction<Tables>,
  { now }: RecordDeps,
  facts: InvoiceFacts,
  reason: AttentionReason,
): Promise<RecordResult> {
  const occurredAt = facts.charge?.chargedAt ?? now();
  return reportForAttention(tx, { ...facts, subject: toAttentionSubject(facts), reason, occurredAt });
}

function toAttentionSubject({ invoiceId }: InvoiceFacts): string {
  return attentionSubject('invoice', invoiceId);
}

function toGift(deps: RecordDeps, checkout: CheckoutRow, facts: InvoiceFacts): Omit<NewGift, 'isRecovery'> {
  const { charge, invoiceId, subscriptionId, amount, coveredFee, livemode, nextChargeAt } = facts;
  const { email, display_name: name, payer_erased_at } = checkout;
  const payer = { email: facts.payerEmail ?? email ?? undefined, name: name ?? undefined };
  return {
    checkout,
    kind: 'renewal',
    fact: buildFact('invoice', invoiceId),
    amount,
    coveredFee: { initial: coveredFee, renewal: coveredFee },
    carbon: calculateRenewalCarbon(checkout, amount - coveredFee),
    livemode,
    occurredAt: charge?.chargedAt ?? deps.now(),
    charge,
    invoiceId,
    subscriptionId,
    nextChargeAt,
    payer: payer_erased_at === null ? payer : {},
    items: applyCurrentInterval(checkout, facts),
  };
}

/** Calculates the carbon of the recurring items, in proportion if the donor has changed the amount. */
function calculateRenewalCarbon(checkout: CheckoutRow, amount: number): number {
  const items = recurringItems(checkout.cart);
  return calculateCarbonShare(cartCarbon(items), amount, cartTotal(items));
}

/** Returns the recurring items with the subscription's current interval. */
function applyCurrentInterval(checkout: CheckoutRow, { subscription }: InvoiceFacts): CartItem[] {
  const items = recurringItems(checkout.cart);
  if (!subscription) return items;
  const { unit, count } = subscription.interval;
  return items.map((item) => ({ ...item, recurring: unit, recurringInterval: count }));
}
