import { parseLanguage, toStoredLanguage } from '#contract/languages.ts';
import { cartCarbon } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import type { RecordDeps, RecordResult } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { recordMissedPayouts } from '#server/features/payouts/missed-payouts.ts';
import { readAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { skipLostNumbers } from '#server/features/receipts/issue-receipt.ts';
import { recordSubscription } from '#server/features/recurring-gifts/record-subscription.ts';
import { saveTribute } from '#server/features/tributes/tributes.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';
import type { LostPage, LostRecords } from './find-lost-records.ts';
import {
  insertMissingCheckout,
  linkBookedDonor,
  listActiveSubscriptions,
  listBookedCharges,
  listChargesWithOpenReturns,
} from './recovery.store.ts';

type RecoverDeps = RecordDeps & Pick<AppDeps, 'livemode'>;

const RECOVERY_OPTIONS = { isRecovery: true } as const;

export type RecoveryResult = {
  /** Receipt numbers that are skipped, because lost receipts may have them. */
  readonly skippedNumbers: { readonly first: number; readonly last: number } | undefined;
  /** Objects that couldn't be recorded, by the provider's id. */
  readonly problems: readonly { readonly id: string; readonly problem: string }[];
};

/**
 * Recovers lost records: adds missing checkouts, and records every payment as if the provider had just reported it. Running
 * it again doesn't count anything twice.
 *
 * Each recovered gift gets a receipt with a new number and a note that it replaces the lost receipt.
 * @param lastReceipt the highest receipt number known to be emailed or printed, including receipts for checks
 */
export async function recover(deps: RecoverDeps, lostRecords: LostRecords, lastReceipt = 0): Promise<RecoveryResult> {
  const series = deps.livemode && !deps.sandbox ? 'live' : 'test';
  const skippedNumbers = await skipLostNumbers(deps.db, series, {
    paymentIds: listLostPaymentIds(lostRecords),
    lastPrintedNumber: lastReceipt,
    skippedAt: deps.now(),
  });
  const problems: { id: string; problem: string }[] = [];
  const attempt = async (id: string, work: () => Promise<RecordResult | Failure>) => {
    const problem = await work().then(describeProblem, (error: unknown) => String(error));
    if (problem !== undefined) problems.push({ id, problem });
  };
  const recordedCharges = new Set<string>();
  await forEachConcurrently(groupPagesByCheckout(lostRecords), async (pages) => {
    for (const page of pages) await attempt(page.session.sessionId, () => recoverPage(deps, page, recordedCharges));
  });
  const charges = [
    ...lostRecords.charges.map(({ chargeId }) => chargeId),
    ...(await listChargesWithOpenReturns(deps.db.kysely)),
  ];
  const remainingCharges = new Set(charges.filter((id) => !recordedCharges.has(id)));
  await forEachConcurrently([...remainingCharges], (id) => attempt(id, () => recordCharge(deps, id, RECOVERY_OPTIONS)));
  const subscriptions = await listActiveSubscriptions(deps.db.kysely);
  await forEachConcurrently(subscriptions, (id) => attempt(id, () => recordSubscription(deps, id)));
  await attempt('account fees', () => recoverAccountFees(deps));
  await attempt('payouts', () => recoverPayouts(deps));
  return { skippedNumbers, problems };
}

/**
 * Groups pages by checkout. A page whose payment is in the books comes first, so that a missing checkout is rebuilt from
 * it. A second payment of the checkout then needs attention.
 */
function groupPagesByCheckout({ pages }: LostRecords): (readonly LostPage[])[] {
  const groups = Map.groupBy(pages, ({ session }) => session.checkoutId).values();
  const comparePosted = (page: LostPage, otherPage: LostPage) => Number(otherPage.isPosted) - Number(page.isPosted);
  return [...groups].map((checkoutPages) => checkoutPages.toSorted(comparePosted));
}

/** Lists ids of payments that may have receipts: missing charges, and paid pages whose charge isn't on the balance yet. */
function listLostPaymentIds({ pages, charges }: LostRecords): string[] {
  const missingCharges = charges.filter(({ differences }) => differences.some(({ kind }) => kind === 'charges'));
  const chargedCheckouts = new Set(missingCharges.map(({ checkoutId }) => checkoutId));
  const unchargedPages = pages.filter(
    ({ session, isPosted }) => session.isPaid && !isPosted && !chargedCheckouts.has(session.checkoutId),
  );
  return [...missingCharges.map(({ chargeId }) => chargeId), ...unchargedPages.map(({ session }) => session.sessionId)];
}

/** @param recordedCharges the set to which recorded charges are added */
async function recoverPage(
  deps: RecoverDeps,
  page: LostPage,
  recordedCharges: Set<string>,
): Promise<RecordResult | Failure> {
  const { sessionId, checkoutId, state } = page.session;
  if (page.cart) await addCheckout(deps, page, page.cart);
  if (state === 'open') return { outcome: 'recorded', checkoutId };
  const result = await recordSession(deps, sessionId, RECOVERY_OPTIONS);
  if (result instanceof Failure || result.outcome !== 'recorded') return result;
  await linkBookedDonor(deps.db.kysely, checkoutId);
  // Refunds and disputes may be missing even if the payment itself isn't.
  for (const chargeId of await listBookedCharges(deps.db.kysely, checkoutId)) {
    const chargeResult = await recordCharge(deps, chargeId, RECOVERY_OPTIONS);
    if (chargeResult instanceof Failure) return chargeResult;
    recordedCharges.add(chargeId);
  }
  return result;
}

async function recoverAccountFees(deps: RecoverDeps): Promise<RecordResult | Failure> {
  const result = await readAccountFees(deps);
  return result instanceof Failure ? result : { outcome: 'ignored' };
}

async function recoverPayouts(deps: RecoverDeps): Promise<RecordResult | Failure> {
  const payouts = await deps.payments.listPayouts();
  if (payouts instanceof Failure) return payouts;
  const [unrecordedPayout] = await recordMissedPayouts(deps, payouts, RECOVERY_OPTIONS);
  if (!unrecordedPayout) return { outcome: 'ignored' };
  if (unrecordedPayout.reason instanceof Failure) return unrecordedPayout.reason;
  throw unrecordedPayout.reason;
}

async function addCheckout(
  { db, now }: RecoverDeps,
  { session, isExact, coveredFee }: LostPage,
  cart: NonNullable<LostPage['cart']>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isAdded = await insertMissingCheckout(tx, {
      id: session.checkoutId,
      org_id: session.orgId,
      cart: JSON.stringify(cart),
      total_cents: session.amount,
      covered_fee_cents: coveredFee.initial,
      covered_renewal_fee_cents: coveredFee.renewal,
      carbon: cartCarbon(cart),
      currency: session.currency,
      language: toStoredLanguage(parseLanguage(session.language)),
      user_id: session.userId ?? null,
      provider_session_id: session.sessionId,
      payment_url: session.url ?? null,
      recovered_at: now(),
      recovered_exactly: isExact,
      created_at: session.openedAt,
    });
    if (isAdded && session.tribute) await saveTribute(tx, session, session.tribute, session.openedAt);
  });
}

function describeProblem(result: RecordResult | Failure): string | undefined {
  if (result instanceof Failure) return failureSentence(result);
  if (result.outcome === 'attention') return `needs attention: ${result.reason}`;
  return undefined;
}
