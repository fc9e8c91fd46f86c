import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { type CheckoutRow, changeCheckout } from '#server/entities/find-checkout.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';
import { expireUnopenedCheckouts, expireUnsettledCheckout, listDueCheckouts } from './checkouts-to-refresh.store.ts';
import { listPaymentsWithoutFee, type PaymentRow, recordFeeRequest } from './payments.store.ts';
import { recordCharge } from './record-charge.ts';
import { recordInvoice } from './record-invoice.ts';
import type { RecordDeps } from './record-result.ts';
import { recordSession } from './record-session.ts';

const CHECKOUTS_PER_ROUND = 400;
const CHECKOUT_OPEN_MS = CHECKOUT_OPEN_MINUTES * 60_000;

/**
 * Reads unsettled checkouts from the provider, several at a time, least recently read first. A failure is logged and
 * retried in a later round, and doesn't delay other checkouts.
 */
export async function refreshCheckouts(deps: RecordDeps, log: Log): Promise<void> {
  await expireUnopenedCheckouts(deps.db.kysely, new Date(deps.now().getTime() - CHECKOUT_OPEN_MS));
  const checkouts = await listDueCheckouts(deps.db.kysely, deps.now(), CHECKOUTS_PER_ROUND);
  await forEachConcurrently(checkouts, (checkout) => refreshCheckout(deps, log, checkout));
}

const FEES_PER_ROUND = 100;

/** Reads fees that the provider hadn't settled when the payment was recorded. Stops at the first failure. */
export async function refreshFees(deps: RecordDeps, log: Log): Promise<void> {
  const { kysely } = deps.db;
  for (const payment of await listPaymentsWithoutFee(kysely, deps.now(), FEES_PER_ROUND)) {
    await recordFeeRequest(kysely, payment.entry_id, deps.now());
    const result = await refreshPayment(deps, payment);
    if (!(result instanceof Failure)) continue;
    log.warn({ entryId: payment.entry_id, code: result.code, ...result.details }, 'a fee could not be read');
    return;
  }
}

async function refreshPayment(deps: RecordDeps, payment: PaymentRow): Promise<unknown> {
  const { charge_id: chargeId, session_id: sessionId, invoice_id: invoiceId } = payment;
  if (chargeId !== null) return recordCharge(deps, chargeId);
  if (sessionId !== null) return recordSession(deps, sessionId);
  return invoiceId === null ? undefined : recordInvoice(deps, invoiceId);
}

async function refreshCheckout(deps: RecordDeps, log: Log, checkout: CheckoutRow): Promise<void> {
  const { org_id: orgId, id: checkoutId, provider_session_id: sessionId } = checkout;
  if (sessionId === null) return;
  try {
    // Update first, so that a failing checkout moves to the end of the queue.
    await changeCheckout(deps.db.kysely, { orgId, checkoutId }, { provider_checked_at: deps.now() });
    const result = await recordSession(deps, sessionId);
    if (result instanceof Failure) {
      log.warn({ checkoutId, code: result.code, ...result.details }, 'a payment could not be settled');
    } else if (result.outcome === 'unknown') {
      await expireUnknownSession(deps, checkout);
    }
  } catch (err) {
    log.error({ checkoutId, err }, 'a payment could not be settled');
  }
}

/**
 * Expires a checkout whose session doesn't exist at the provider, such as after a switch to another account. A checkout
 * whose page could still be open stays unpaid.
 */
async function expireUnknownSession(deps: RecordDeps, checkout: CheckoutRow): Promise<void> {
  const age = deps.now().getTime() - checkout.created_at.getTime();
  if (age < CHECKOUT_OPEN_MS) return;
  await expireUnsettledCheckout(deps.db.kysely, { orgId: checkout.org_id, checkoutId: checkout.id });
}

export const refreshCheckoutsJob = defineRecurringJob({
  name: 'refresh-checkouts',
  initialDelayMs: 1000,
  intervalMs: 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => refreshCheckouts(deps, deps.log),
});

export const refreshFeesJob = defineRecurringJob({
  name: 'refresh-fees',
  initialDelayMs: 1000,
  intervalMs: 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => refreshFees(deps, deps.log),
});
