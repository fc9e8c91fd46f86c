import type { Transaction } from 'kysely';
import { statusAfter } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { isEmail } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { noteGift } from '#server/features/stories/offsetters.ts';
import type { PaymentFacts, ProviderEvent } from '#server/gateways/payments/payments.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, lockedCheckout } from './checkouts.store.ts';
import { outcomesOf, saveEvent } from './provider-events.store.ts';

export type RecordDeps = Pick<AppDeps, 'db' | 'payments' | 'jobs' | 'now'>;

/**
 * Handles one report of the provider once: duplicates and any order are harmless (decisions §3).
 * @returns Failure payment-unavailable, webhook-mismatch if the provider should send it again
 */
export async function receiveEvent(deps: RecordDeps, event: ProviderEvent): Promise<'recorded' | 'ignored' | Failure> {
  const before = (await outcomesOf(deps.db.kysely, [event.id])).get(event.id);
  if (before === 'recorded' || before === 'ignored') return before;
  const outcome = event.sessionId === undefined ? 'ignored' : await recordPayment(deps, event.sessionId, event);
  if (outcome === 'ignored') await saveEvent(deps.db.kysely, { ...eventRow(event), outcome });
  return outcome;
}

/**
 * Asks the provider about a session and records the answer in one transaction: the checkout, the ledger, the totals,
 * the receipt and the job that mails it, and the event, if one reported it. Safe to repeat.
 * @returns 'ignored' for a session of another program; Failure payment-unavailable, webhook-mismatch
 */
export async function recordPayment(
  deps: RecordDeps,
  sessionId: string,
  event?: ProviderEvent,
): Promise<'recorded' | 'ignored' | Failure> {
  const facts = await deps.payments.read(sessionId);
  if (facts instanceof Failure) return facts;
  const { orgId, checkoutId } = facts;
  if (orgId === undefined && checkoutId === undefined) return 'ignored';
  const key = { orgId: orgId ?? '', checkoutId: checkoutId ?? '' };
  return inTransaction(deps.db, (tx) => recordFacts(tx, deps, key, facts, event));
}

async function recordFacts(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  key: CheckoutKey,
  facts: PaymentFacts,
  event: ProviderEvent | undefined,
): Promise<'recorded' | Failure> {
  const checkout = await lockedCheckout(tx, key);
  const mismatch = mismatchOf(checkout, facts);
  if (!checkout || mismatch) {
    if (event) await saveEvent(tx, { ...eventRow(event), outcome: 'refused', reason: mismatch ?? null });
    return new Failure('webhook-mismatch');
  }
  const occurredAt = event?.occurredAt ?? deps.now();
  const offsetterId = facts.report === 'paid' ? await postPayment(tx, deps, checkout, facts, occurredAt) : undefined;
  const change = changeOf(checkout, facts, occurredAt, deps.now());
  await changeCheckout(tx, key, { ...change, offsetter_id: checkout.offsetter_id ?? offsetterId ?? null });
  if (event) await saveEvent(tx, { ...eventRow(event), outcome: 'recorded', checkout_id: checkout.id });
  return 'recorded';
}

/** Why the provider's answer cannot be about this checkout, if it cannot. */
function mismatchOf(checkout: CheckoutRow | undefined, facts: PaymentFacts): string | undefined {
  if (!checkout) return 'no such checkout in this organization';
  if (checkout.provider_session_id !== null && checkout.provider_session_id !== facts.sessionId) return 'session';
  if (checkout.total_cents !== facts.amount) return 'amount';
  return checkout.currency === facts.currency ? undefined : 'currency';
}

/**
 * Posts the payment to the ledger and issues its receipt, unless that was done before.
 * @returns the id of the payer's existing offsetter, if the payer was signed in and has one
 */
async function postPayment(
  tx: Transaction<Tables>,
  { jobs }: RecordDeps,
  checkout: CheckoutRow,
  facts: PaymentFacts,
  occurredAt: Date,
): Promise<string | undefined> {
  const gift = { orgId: checkout.org_id, checkoutId: checkout.id, amount: checkout.total_cents };
  const ledgerEntryId = await postEntry(tx, {
    ...gift,
    kind: 'payment',
    fact: `checkout-session:${facts.sessionId}`,
    carbon: checkout.carbon,
    currency: checkout.currency,
    occurredAt,
  });
  if (ledgerEntryId === undefined) return undefined;
  const { email, name } = payerOf(checkout, facts);
  const receiptNumber = await issueReceipt(tx, {
    ...gift,
    ledgerEntryId,
    email,
    name,
    issuedAt: occurredAt,
    nextChargeAt: facts.nextChargeAt,
  });
  if (email && isEmail(email)) await jobs.enqueue(tx, 'mail-receipt', { orgId: checkout.org_id, receiptNumber });
  const { user_id: userId, org_id: orgId } = checkout;
  return userId === null ? undefined : noteGift(tx, { orgId, userId, at: occurredAt });
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

function eventRow({ id, type, occurredAt }: ProviderEvent) {
  return { id, type, occurred_at: occurredAt };
}
