import type { Transaction } from 'kysely';
import type { AttentionReason } from '#domain/attention.ts';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { statusAfter } from '#domain/checkout.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import { makePrintable } from '#domain/safe-text.ts';
import type { Tables } from '#server/db/tables.ts';
import { inLedgerTransaction } from '#server/db/transaction.ts';
import {
  type CheckoutChange,
  type CheckoutRow,
  changeCheckout,
  findCheckoutInAnyOrg,
  lockReportedCheckout,
} from '#server/entities/find-checkout.ts';
import { reportForAttention, resolveAttentionAutomatically } from '#server/features/attention/attention.ts';
import { ClientKey, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { forgiveDecline } from '#server/features/rate-limits/decline-limits.ts';
import { insertSubscription } from '#server/features/recurring-gifts/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { PaymentFacts } from '#server/gateways/payments/payment-facts.ts';
import type { SessionPayment } from '#server/gateways/payments/payments.ts';
import { type NewGift, postGift } from './post-gift.ts';
import type { RecordDeps, RecordOptions, RecordResult, SettledPayment } from './record-result.ts';

/**
 * Reads a Checkout session from the provider and records it in one transaction: the checkout, the ledger, the totals, the
 * receipt, and the job that emails it. Webhooks, returning browsers, and the reconciler all call this. Recording the same
 * session twice changes nothing.
 * @returns Failure payment-unavailable
 */
export async function recordSession(
  deps: RecordDeps,
  sessionId: string,
  { isRecovery = false }: RecordOptions = {},
): Promise<RecordResult | Failure> {
  const session = await deps.payments.readSession(sessionId);
  if (session instanceof Failure) return session;
  if (session === 'unknown') return { outcome: 'unknown' };
  if (!isOurs(session)) return { outcome: 'ignored' };
  const { result, payingClient } = await inLedgerTransaction(deps.db, (tx) =>
    recordInTransaction(tx, deps, session, isRecovery),
  );
  if (payingClient !== undefined) await forgiveClient(deps, payingClient);
  return (await cancelErasedPayerSubscription(deps, session)) ?? result;
}

/** Runs after the commit, so that the transaction doesn't lock the client's rate limits. */
async function forgiveClient(deps: RecordDeps, key: string): Promise<void> {
  const client = new ClientKey(key);
  await refundRateLimit(deps, 'checkout', { client });
  await forgiveDecline(deps, client);
}

/**
 * Records a checkout's session. If the session's id was never stored, because the provider's response was lost, finds the
 * session by its payment or subscription.
 */
export async function recordCheckoutSession(
  deps: RecordDeps,
  { provider_session_id: sessionId }: CheckoutRow,
  payment: SessionPayment,
  options: RecordOptions = {},
): Promise<RecordResult | Failure> {
  if (sessionId !== null) return recordSession(deps, sessionId, options);
  const session = await deps.payments.findSession(payment);
  if (session instanceof Failure) return session;
  return session === 'unknown' ? { outcome: 'ignored' } : recordSession(deps, session.sessionId, options);
}

/**
 * Cancels a subscription that was started after its checkout or the payer's account was deleted. The gift counts, but must
 * not recur.
 */
async function cancelErasedPayerSubscription(
  { db, payments }: RecordDeps,
  { checkoutId, subscriptionId }: PaymentFacts,
): Promise<Failure | undefined> {
  if (subscriptionId === undefined || checkoutId === undefined) return undefined;
  const checkout = await findCheckoutInAnyOrg(db.kysely, checkoutId);
  if (!checkout?.payer_erased_at || checkout.provider_subscription_id !== subscriptionId) return undefined;
  const result = await payments.cancelSubscription(subscriptionId);
  return result instanceof Failure ? result : undefined;
}

type SessionResult = {
  readonly result: RecordResult;
  /** Client whose rate limit must no longer count the checkout, because it is being paid. */
  readonly payingClient?: string | undefined;
};

async function recordInTransaction(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  facts: PaymentFacts,
  isRecovery: boolean,
): Promise<SessionResult> {
  const { status } = facts;
  const checkout = await lockReportedCheckout(tx, facts);
  if (!checkout) return { result: await reportMismatch(tx, deps, facts, 'no-checkout') };
  const mismatch = findMismatch(checkout, facts);
  if (mismatch) return { result: await reportMismatch(tx, deps, facts, mismatch) };
  const key = { orgId: checkout.org_id, checkoutId: checkout.id };
  const occurredAt = facts.charge?.chargedAt ?? deps.now();
  const gift = { ...toGift(checkout, facts, occurredAt), isRecovery };
  const offsetterId = status === 'paid' ? await postPayment(tx, deps, facts, gift) : undefined;
  await changeCheckout(tx, key, createCheckoutChange(checkout, facts, { offsetterId, occurredAt, now: deps.now() }));
  const isPaying = status === 'paid' || status === 'processing';
  return {
    result: { outcome: 'recorded', checkoutId: checkout.id, settledPayment: toSettledPayment(facts) },
    payingClient: isPaying ? (checkout.client_hash ?? undefined) : undefined,
  };
}

function toSettledPayment({ status, sessionId, charge }: PaymentFacts): SettledPayment | undefined {
  return status === 'paid' && charge?.settlement ? { sessionId, chargeId: charge.chargeId } : undefined;
}

/** Returns the property that differs between the session and the checkout, if any. */
function findMismatch(checkout: CheckoutRow, facts: PaymentFacts): AttentionReason | undefined {
  if (checkout.total_cents !== facts.amount) return 'amount';
  if (checkout.currency !== facts.currency) return 'currency';
  const { provider_session_id: sessionId } = checkout;
  return sessionId === null || sessionId === facts.sessionId ? undefined : 'session';
}

/** Reports unmatched money instead of ignoring it or guessing (decisions §3). */
async function reportMismatch(
  tx: Transaction<Tables>,
  { now }: RecordDeps,
  facts: PaymentFacts,
  reason: AttentionReason,
): Promise<RecordResult> {
  if (facts.status !== 'paid' && facts.status !== 'processing') return { outcome: 'ignored' };
  const occurredAt = facts.charge?.chargedAt ?? now();
  return reportForAttention(tx, { ...facts, subject: toAttentionSubject(facts), reason, occurredAt });
}

function toAttentionSubject({ sessionId }: PaymentFacts): string {
  return attentionSubject('session', sessionId);
}

/** @returns the logged-in donor's offsetter, if the gift is new and there is one */
async function postPayment(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  facts: PaymentFacts,
  gift: NewGift,
): Promise<string | undefined> {
  const { subscriptionId: id, giftKey: pageKey } = facts;
  const { org_id: orgId, id: checkoutId } = gift.checkout;
  // Insert the subscription before the receipt, which links to it.
  if (id !== undefined) await insertSubscription(tx, { id, pageKey, orgId, checkoutId });
  const offsetterId = await postGift(tx, deps, gift);
  await resolveAttentionAutomatically(tx, toAttentionSubject(facts), deps.now());
  return offsetterId;
}

function toGift(checkout: CheckoutRow, facts: PaymentFacts, occurredAt: Date): Omit<NewGift, 'isRecovery'> {
  const { sessionId, subscriptionId, livemode, charge, nextChargeAt } = facts;
  return {
    checkout,
    kind: 'payment',
    fact: buildFact('checkout-session', sessionId),
    amount: checkout.total_cents,
    coveredFee: { initial: checkout.covered_fee_cents, renewal: checkout.covered_renewal_fee_cents },
    carbon: checkout.carbon,
    livemode,
    occurredAt,
    charge,
    sessionId,
    invoiceId: charge?.invoiceId,
    subscriptionId,
    nextChargeAt,
    payer: toPayerColumns(checkout, facts),
    items: checkout.cart,
  };
}

/** Maximum stored length of the payer's name; the provider accepts any length. */
const MAX_NAME_LENGTH = 500;

/** Returns the payer's details from the provider, or nothing if the payer was erased. */
function toPayerColumns({ payer_erased_at }: CheckoutRow, { payerEmail, payerName, customerId }: PaymentFacts) {
  const name = payerName && makePrintable(payerName.slice(0, MAX_NAME_LENGTH));
  return payer_erased_at === null ? { email: payerEmail, name: name || undefined, customerId } : {};
}

function createCheckoutChange(
  checkout: CheckoutRow,
  facts: PaymentFacts,
  context: { readonly offsetterId: string | undefined; readonly occurredAt: Date; readonly now: Date },
): CheckoutChange {
  const { offsetterId, occurredAt, now } = context;
  const { payment_status: currentStatus } = checkout;
  const status = facts.status === 'open' ? currentStatus : statusAfter(currentStatus, facts.status);
  const { email, name, customerId } = toPayerColumns(checkout, facts);
  return {
    payment_status: status,
    paid_at: checkout.paid_at ?? (status === 'paid' ? occurredAt : null),
    email: email ?? checkout.email,
    display_name: name ?? checkout.display_name,
    offsetter_id: checkout.offsetter_id ?? offsetterId ?? null,
    provider_session_id: facts.sessionId,
    provider_payment_id: facts.paymentId ?? checkout.provider_payment_id,
    provider_customer_id: customerId ?? checkout.provider_customer_id,
    provider_subscription_id: facts.subscriptionId ?? checkout.provider_subscription_id,
    provider_checked_at: now,
    client_hash: status === 'unpaid' ? checkout.client_hash : null,
  };
}
