import type { Transaction } from 'kysely';
import { statusAfter } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { type IssueDeps, issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { lockOffsetterOf, noteGift } from '#server/features/stories/offsetters.ts';
import { beginSubscription } from '#server/features/subscriptions/record-subscription.ts';
import type { PaymentFacts } from '#server/gateways/payments/payments.ts';
import { addAttentionItem, closeAttentionItem } from './attention.store.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, lockedCheckout } from './checkouts.store.ts';
import { lockedPayment, paymentOfSession, savePayment } from './payments.store.ts';
import { recordSettlement } from './post-movement.ts';

export type RecordDeps = Pick<AppDeps, 'db' | 'payments'> & IssueDeps;

/**
 * What became of an object at the provider. ignored: of another program or installation, or without money.
 * attention: its money waits for a person. unknown: the provider has no such object.
 */
export type Recorded =
  | { readonly outcome: 'recorded'; readonly checkoutId: string }
  | { readonly outcome: 'attention'; readonly reason: string; readonly checkoutId: string | undefined }
  | { readonly outcome: 'ignored' | 'unknown'; readonly checkoutId?: undefined };

/**
 * Asks the provider about a session and records the answer in one transaction: the checkout, the ledger, the totals,
 * the receipt and the job that mails it. Webhooks, returning browsers and the reconciler all end here. Safe to repeat.
 * @returns Failure payment-unavailable
 */
export async function recordSession(deps: RecordDeps, sessionId: string): Promise<Recorded | Failure> {
  const facts = await deps.payments.read(sessionId);
  if (facts instanceof Failure) return facts;
  if (facts === 'unknown') return { outcome: 'unknown' };
  const { orgId, checkoutId, origin } = facts;
  if (origin === 'foreign' || (orgId === undefined && checkoutId === undefined)) return { outcome: 'ignored' };
  const key = { orgId: orgId ?? '', checkoutId: checkoutId ?? '' };
  return inTransaction(deps.db, (tx) => recordFacts(tx, deps, key, facts));
}

async function recordFacts(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  key: CheckoutKey,
  facts: PaymentFacts,
): Promise<Recorded> {
  const checkout = await lockedCheckout(tx, key);
  const mismatch = mismatchOf(checkout, facts);
  if (!checkout || mismatch) return refuse(tx, deps, key, facts, mismatch ?? '');
  const occurredAt = facts.charge?.chargedAt ?? deps.now();
  const offsetterId = facts.report === 'paid' ? await postPayment(tx, deps, checkout, facts, occurredAt) : undefined;
  const change = changeOf(checkout, facts, occurredAt, deps.now());
  await changeCheckout(tx, key, { ...change, offsetter_id: checkout.offsetter_id ?? offsetterId ?? null });
  if (facts.report === 'paid') await closeAttentionItem(tx, subjectOf(facts), deps.now());
  return { outcome: 'recorded', checkoutId: checkout.id };
}

/** Why the provider's answer cannot be about this checkout, if it cannot. */
function mismatchOf(checkout: CheckoutRow | undefined, facts: PaymentFacts): string | undefined {
  if (!checkout) return 'no such checkout in this organization';
  if (checkout.total_cents !== facts.amount) return 'amount';
  if (checkout.currency !== facts.currency) return 'currency';
  const { provider_session_id: known } = checkout;
  return known === null || known === facts.sessionId ? undefined : 'session';
}

/** Money that cannot be applied is never dropped and never guessed (decisions §3). */
async function refuse(
  tx: Transaction<Tables>,
  { now }: RecordDeps,
  { orgId, checkoutId }: CheckoutKey,
  facts: PaymentFacts,
  reason: string,
): Promise<Recorded> {
  if (facts.report !== 'paid' && facts.report !== 'processing') return { outcome: 'ignored' };
  const { amount, currency, livemode } = facts;
  const at = { occurredAt: facts.charge?.chargedAt ?? now() };
  await addAttentionItem(tx, {
    subject: subjectOf(facts),
    reason,
    orgId,
    checkoutId,
    amount,
    currency,
    livemode,
    ...at,
  });
  return { outcome: 'attention', reason, checkoutId: checkoutId || undefined };
}

function subjectOf({ sessionId }: PaymentFacts): string {
  return `session:${sessionId}`;
}

/**
 * Posts the payment to the ledger and issues its receipt, unless that was done before.
 * @returns the id of the payer's existing offsetter, if the payer was signed in and has one
 */
async function postPayment(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  checkout: CheckoutRow,
  facts: PaymentFacts,
  occurredAt: Date,
): Promise<string | undefined> {
  const { user_id: userId, org_id: orgId } = checkout;
  // Locked before the totals, the order in which stories are edited: the other way round, both would wait for ever.
  const offsetterId = userId === null ? undefined : await lockOffsetterOf(tx, orgId, userId);
  const gift = { orgId, checkoutId: checkout.id, amount: checkout.total_cents };
  if (facts.subscriptionId !== undefined) {
    await beginSubscription(tx, { id: facts.subscriptionId, orgId, checkoutId: checkout.id });
  }
  const ledgerEntryId = await postEntry(tx, {
    ...gift,
    kind: 'payment',
    fact: `checkout-session:${facts.sessionId}`,
    carbon: checkout.carbon,
    currency: checkout.currency,
    livemode: facts.livemode,
    occurredAt,
  });
  if (ledgerEntryId === undefined) {
    const known = await paymentOfSession(tx, facts.sessionId);
    if (known && facts.charge) await recordSettlement(tx, known, facts.charge);
    return undefined;
  }
  await savePayment(tx, {
    ...paymentOf(facts, occurredAt),
    entry_id: ledgerEntryId,
    org_id: orgId,
    checkout_id: checkout.id,
  });
  const payment = await lockedPayment(tx, ledgerEntryId);
  if (payment && facts.charge) await recordSettlement(tx, payment, facts.charge);
  const { email, name } = payerOf(checkout, facts);
  await issueReceipt(tx, deps, {
    ...gift,
    ledgerEntryId,
    email,
    name,
    currency: checkout.currency,
    given: { kind: 'card', items: checkout.cart },
    givenAt: occurredAt,
    nextChargeAt: facts.nextChargeAt,
    livemode: facts.livemode,
  });
  if (offsetterId !== undefined) await noteGift(tx, { orgId, offsetterId, at: deps.now() });
  return offsetterId;
}

/** The charge, so that a renewal, a refund, a fee and a payout find it. What it cost is posted once it is known. */
function paymentOf({ sessionId, subscriptionId, charge, amount, currency, livemode }: PaymentFacts, chargedAt: Date) {
  return {
    session_id: sessionId,
    intent_id: charge?.intentId ?? null,
    charge_id: charge?.chargeId ?? null,
    invoice_id: charge?.invoiceId ?? null,
    subscription_id: subscriptionId ?? null,
    charged_at: chargedAt,
    amount_cents: amount,
    currency,
    livemode,
  };
}

/** Who paid, according to the provider; nothing once the payer has been erased. */
function payerOf({ forgotten_at }: CheckoutRow, { payerEmail, payerName, customerId }: PaymentFacts) {
  return forgotten_at === null ? { email: payerEmail, name: payerName, customerId } : {};
}

function changeOf(checkout: CheckoutRow, facts: PaymentFacts, occurredAt: Date, now: Date) {
  const { payment_status: before } = checkout;
  const status = facts.report === 'open' ? before : statusAfter(before, facts.report);
  const { email, name, customerId } = payerOf(checkout, facts);
  return {
    payment_status: status,
    paid_at: checkout.paid_at ?? (status === 'paid' ? occurredAt : null),
    email: email ?? checkout.email,
    display_name: name ?? checkout.display_name,
    provider_session_id: facts.sessionId,
    provider_payment_id: facts.paymentId ?? checkout.provider_payment_id,
    provider_customer_id: customerId ?? checkout.provider_customer_id,
    provider_subscription_id: facts.subscriptionId ?? checkout.provider_subscription_id,
    asked_provider_at: now,
  };
}
