import type { Transaction } from 'kysely';
import { statusAfter } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { printable } from '#domain/safe-text.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { forgiveDecline } from '#server/features/rate-limits/card-brake.ts';
import { ClientKey, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { IssueDeps } from '#server/features/receipts/issue-receipt.ts';
import { beginSubscription } from '#server/features/subscriptions/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { PaymentFacts } from '#server/gateways/payments/payment-facts.ts';
import type { PaidOnPage } from '#server/gateways/payments/payments.ts';
import { together } from '#server/together.ts';
import { closeAttentionItems } from './attention.store.ts';
import { needsAttention, type WaitsForPerson } from './attention.ts';
import {
  type CheckoutKey,
  type CheckoutRow,
  changeCheckouts,
  checkoutByIdOnly,
  lockedCheckouts,
  type ReportedChange,
} from './checkouts.store.ts';
import { type NewGift, postGifts } from './post-gift.ts';

export type RecordDeps = Pick<AppDeps, 'db' | 'payments'> & IssueDeps;

/** A page that is paid, and its charge, whose fee is known. */
type Settled = { readonly sessionId: string | undefined; readonly chargeId: string };

/**
 * What became of an object at the provider. ignored: of another program or installation, or without money.
 * attention: its money waits for a person. unknown: the provider has no such object.
 */
export type Recorded =
  | {
      readonly outcome: 'recorded';
      readonly checkoutId: string;
      readonly settled?: Settled | undefined;
      /** Whose limit the checkout no longer counts for: it is no junk. */
      readonly released?: string | undefined;
    }
  | WaitsForPerson
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
  if (!isOurs(facts)) return { outcome: 'ignored' };
  const { orgId = '', checkoutId = '' } = facts;
  const key = { orgId, checkoutId };
  const recorded = await reportTo(deps)({ ...key, facts });
  return (await endForgotten(deps, key, facts)) ?? recorded;
}

type Report = CheckoutKey & { readonly facts: PaymentFacts };
type Recorder = (report: Report) => Promise<Recorded>;

const MOST_AT_ONCE = 50;
const recorders = new WeakMap<RecordDeps, Recorder>();

/** An organization's reports wait for each other's locks, so those that come meanwhile share the next transaction. */
function reportTo(deps: RecordDeps): Recorder {
  const known = recorders.get(deps);
  if (known) return known;
  const recorder = together((reports: readonly Report[]) => recordReports(deps, reports), MOST_AT_ONCE, orgOf);
  recorders.set(deps, recorder);
  return recorder;
}

function orgOf({ orgId }: Report): string {
  return orgId;
}

/** @param reports of one organization */
async function recordReports(deps: RecordDeps, reports: readonly Report[]): Promise<Recorded[]> {
  // Of two about the same checkout, the second must see what the first changed.
  const rounds: Report[][] = [];
  for (const report of reports) {
    const round = rounds.find((some) => some.every(({ checkoutId }) => checkoutId !== report.checkoutId));
    if (round) round.push(report);
    else rounds.push([report]);
  }
  const recorded = new Map<Report, Recorded>();
  for (const round of rounds) {
    const results = await inTransaction(deps.db, (tx) => recordRound(tx, deps, round));
    for (const [report, result] of results) recorded.set(report, result);
    await releaseClients(deps, results.values());
  }
  return reports.map((report) => recorded.get(report) ?? { outcome: 'ignored' });
}

/** After the transaction: in it, the counts of one client would hold up the others. */
async function releaseClients(deps: RecordDeps, results: Iterable<Recorded>): Promise<void> {
  for (const result of results) {
    if (result.outcome !== 'recorded' || result.released === undefined) continue;
    const client = new ClientKey(result.released);
    await releaseRateLimit(deps, 'checkout', { client });
    await forgiveDecline(deps, client);
  }
}

/** Records the payment page of a checkout, also if the answer of its opening was lost. */
export async function recordPage(
  deps: RecordDeps,
  { provider_session_id: known }: CheckoutRow,
  paid: PaidOnPage,
): Promise<Recorded | Failure> {
  if (known !== null) return recordSession(deps, known);
  const page = await deps.payments.findPage(paid);
  if (page instanceof Failure) return page;
  return page === 'unknown' ? { outcome: 'ignored' } : recordSession(deps, page.sessionId);
}

/** A page can be paid after its checkout or the payer's account was deleted: its gift counts, but must not recur. */
async function endForgotten(
  { db, payments }: RecordDeps,
  { checkoutId }: CheckoutKey,
  { subscriptionId }: PaymentFacts,
): Promise<Failure | undefined> {
  if (subscriptionId === undefined) return undefined;
  const checkout = await checkoutByIdOnly(db.kysely, checkoutId);
  if (!checkout?.forgotten_at || checkout.provider_subscription_id !== subscriptionId) return undefined;
  const ended = await payments.cancelSubscription(subscriptionId);
  return ended instanceof Failure ? ended : undefined;
}

/** @param reports about different checkouts of one organization */
async function recordRound(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  reports: readonly Report[],
): Promise<ReadonlyMap<Report, Recorded>> {
  const recorded = new Map<Report, Recorded>();
  const [orgId = ''] = reports.map(orgOf);
  const ids = reports.map(({ checkoutId }) => checkoutId);
  const checkouts = await lockedCheckouts(tx, orgId, ids);
  const matching: Matching[] = [];
  for (const report of reports) {
    const { checkoutId, facts } = report;
    const checkout = checkouts.get(checkoutId);
    const mismatch = mismatchOf(checkout, facts);
    if (!checkout || mismatch) {
      recorded.set(report, await refuse(tx, deps, { orgId, checkoutId }, facts, mismatch ?? ''));
    } else {
      matching.push({ checkout, facts, occurredAt: facts.charge?.chargedAt ?? deps.now() });
      recorded.set(report, {
        ...{ outcome: 'recorded', checkoutId, settled: settledOf(facts) },
        released: facts.report === 'paid' || facts.report === 'processing' ? (checkout.client ?? undefined) : undefined,
      });
    }
  }
  const paid = matching.filter(({ facts }) => facts.report === 'paid');
  const offsetterIds = await postPayments(tx, deps, orgId, paid);
  const changes = matching.map((report) => changeOf(report, offsetterIds.get(report), deps.now()));
  await changeCheckouts(tx, orgId, changes);
  const subjects = paid.map(({ facts }) => subjectOf(facts));
  await closeAttentionItems(tx, subjects, deps.now());
  return recorded;
}

function settledOf({ report, sessionId, charge }: PaymentFacts): Settled | undefined {
  return report === 'paid' && charge?.settlement ? { sessionId, chargeId: charge.chargeId } : undefined;
}

/** A report that is about its checkout. */
type Matching = { readonly checkout: CheckoutRow; readonly facts: PaymentFacts; readonly occurredAt: Date };

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
  const occurredAt = facts.charge?.chargedAt ?? now();
  return needsAttention(tx, { ...facts, subject: subjectOf(facts), reason, orgId, checkoutId, occurredAt });
}

function subjectOf({ sessionId }: PaymentFacts): string {
  return `session:${sessionId}`;
}

/** @returns the givers' offsetters */
async function postPayments(
  tx: Transaction<Tables>,
  deps: RecordDeps,
  orgId: string,
  paid: readonly Matching[],
): Promise<ReadonlyMap<Matching, string | undefined>> {
  if (paid.length === 0) return new Map();
  for (const { checkout, facts } of paid) {
    const { subscriptionId: id, giftKey: key } = facts;
    if (id !== undefined) await beginSubscription(tx, { id, key, orgId, checkoutId: checkout.id });
  }
  const offsetterIds = await postGifts(tx, deps, orgId, paid.map(giftOf));
  return new Map(paid.map((report, at) => [report, offsetterIds[at]]));
}

function giftOf({ checkout, facts, occurredAt }: Matching): NewGift {
  const { sessionId, subscriptionId, livemode, charge, nextChargeAt } = facts;
  return {
    checkout,
    kind: 'payment',
    fact: `checkout-session:${sessionId}`,
    amount: checkout.total_cents,
    coveredFee: { first: checkout.covered_fee_cents, renewal: checkout.covered_renewal_fee_cents },
    carbon: checkout.carbon,
    livemode,
    occurredAt,
    charge,
    sessionId,
    invoiceId: charge?.invoiceId,
    subscriptionId,
    nextChargeAt,
    payer: payerOf(checkout, facts),
    items: checkout.cart,
  };
}

/** Of the name that a payer typed at the provider, which takes any. */
const NAME_KEPT = 500;

/** Who paid, according to the provider; nothing once the payer has been erased. */
function payerOf({ forgotten_at }: CheckoutRow, { payerEmail, payerName, customerId }: PaymentFacts) {
  const name = payerName && printable(payerName.slice(0, NAME_KEPT));
  return forgotten_at === null ? { email: payerEmail, name: name || undefined, customerId } : {};
}

function changeOf(
  { checkout, facts, occurredAt }: Matching,
  offsetterId: string | undefined,
  now: Date,
): ReportedChange {
  const { payment_status: before } = checkout;
  const status = facts.report === 'open' ? before : statusAfter(before, facts.report);
  const { email, name, customerId } = payerOf(checkout, facts);
  return {
    id: checkout.id,
    payment_status: status,
    paid_at: checkout.paid_at ?? (status === 'paid' ? occurredAt : null),
    email: email ?? checkout.email,
    display_name: name ?? checkout.display_name,
    offsetter_id: checkout.offsetter_id ?? offsetterId ?? null,
    provider_session_id: facts.sessionId,
    provider_payment_id: facts.paymentId ?? checkout.provider_payment_id,
    provider_customer_id: customerId ?? checkout.provider_customer_id,
    provider_subscription_id: facts.subscriptionId ?? checkout.provider_subscription_id,
    asked_provider_at: now,
    client: status === 'unpaid' ? checkout.client : null,
  };
}
