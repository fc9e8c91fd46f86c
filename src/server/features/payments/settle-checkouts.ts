import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { type CheckoutRow, changeCheckout } from '#server/entities/find-checkout.ts';
import { askEach } from '#server/gateways/payments/ask-each.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { checkoutsToAsk, expireUnopened } from './checkouts-to-settle.store.ts';
import { noteAsked, type PaymentRow, paymentsWithoutFee } from './payments.store.ts';
import { recordCharge } from './record-charge.ts';
import { recordInvoice } from './record-invoice.ts';
import type { RecordDeps } from './record-result.ts';
import { recordSession } from './record-session.ts';

const CHECKOUTS_PER_ROUND = 400;
const OPEN_MS = CHECKOUT_OPEN_MINUTES * 60_000;

/**
 * Asks the provider about every unsettled checkout, the ones that waited longest first and several at a time. A failure
 * is logged, retried in a later round, and holds up no other.
 */
export async function settleCheckouts(deps: RecordDeps, log: Log): Promise<void> {
  await expireUnopened(deps.db.kysely, new Date(deps.now().getTime() - OPEN_MS));
  const waiting = await checkoutsToAsk(deps.db.kysely, deps.now(), CHECKOUTS_PER_ROUND);
  await askEach(waiting, (checkout) => settle(deps, log, checkout));
}

const FEES_PER_ROUND = 100;

/** Asks again about fees that the provider had not settled when the payment was recorded. */
export async function settleFees(deps: RecordDeps, log: Log): Promise<void> {
  const { kysely } = deps.db;
  for (const payment of await paymentsWithoutFee(kysely, deps.now(), FEES_PER_ROUND)) {
    await noteAsked(kysely, payment.entry_id, deps.now());
    const recorded = await recordAgain(deps, payment);
    if (!(recorded instanceof Failure)) continue;
    log.warn({ entryId: payment.entry_id, code: recorded.code, ...recorded.details }, 'a fee could not be asked about');
    return;
  }
}

async function recordAgain(deps: RecordDeps, payment: PaymentRow): Promise<unknown> {
  const { charge_id: chargeId, session_id: sessionId, invoice_id: invoiceId } = payment;
  if (chargeId !== null) return recordCharge(deps, chargeId);
  if (sessionId !== null) return recordSession(deps, sessionId);
  return invoiceId === null ? undefined : recordInvoice(deps, invoiceId);
}

async function settle(deps: RecordDeps, log: Log, checkout: CheckoutRow): Promise<void> {
  const { org_id: orgId, id: checkoutId, provider_session_id: sessionId } = checkout;
  if (sessionId === null) return;
  try {
    // First, so that a checkout that keeps failing makes room for the others.
    await changeCheckout(deps.db.kysely, { orgId, checkoutId }, { asked_provider_at: deps.now() });
    const recorded = await recordSession(deps, sessionId);
    if (recorded instanceof Failure) {
      log.warn({ checkoutId, code: recorded.code, ...recorded.details }, 'a payment could not be settled');
    } else if (recorded.outcome === 'unknown') {
      await expireUnknown(deps, checkout);
    }
  } catch (err) {
    log.error({ checkoutId, err }, 'a payment could not be settled');
  }
}

/** Expires a checkout whose page doesn't exist at the provider, such as after a switch to another account. */
async function expireUnknown(deps: RecordDeps, checkout: CheckoutRow): Promise<void> {
  const age = deps.now().getTime() - checkout.created_at.getTime();
  if (age < OPEN_MS) return;
  const key = { orgId: checkout.org_id, checkoutId: checkout.id };
  await changeCheckout(deps.db.kysely, key, { payment_status: 'expired' });
}

export const checkoutSettlement = defineRecurringJob({
  name: 'settle-checkouts',
  firstMs: 1000,
  everyMs: 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => settleCheckouts(deps, deps.log),
});

export const feeSettlement = defineRecurringJob({
  name: 'settle-fees',
  firstMs: 1000,
  everyMs: 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => settleFees(deps, deps.log),
});
