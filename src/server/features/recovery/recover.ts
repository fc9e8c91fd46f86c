import { languageNamed, storedLanguage } from '#contract/languages.ts';
import { cartCarbon } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/refusals.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import type { RecordDeps, RecordResult } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { recordMissedPayouts } from '#server/features/payouts/missed-payouts.ts';
import { readAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { skipLostNumbers } from '#server/features/receipts/issue-receipt.ts';
import { recordSubscription } from '#server/features/subscriptions/record-subscription.ts';
import { saveTribute } from '#server/features/tributes/tributes.ts';
import type { Lost, LostPage } from './find-lost.ts';
import { addMissingCheckout, chargesOf, chargesUnderWay, runningSubscriptions } from './recovery.store.ts';

type RecoverDeps = RecordDeps & Pick<AppDeps, 'livemode'>;

export type Recovery = {
  /** Receipt numbers that will never be issued. */
  readonly skipped: { readonly first: number; readonly last: number } | undefined;
  /** Objects that could not be recorded, by the provider's id. */
  readonly problems: readonly { readonly id: string; readonly problem: string }[];
};

/**
 * Recovers lost records: adds the missing checkouts, and records every payment in the same way as a report from the
 * provider. Safe to repeat; counts nothing twice. Reissues receipts with numbers that were never issued before; the
 * receipts mention it.
 * @param lastReceipt the highest receipt number known to have been printed, which receipts of checks can raise
 */
export async function recover(given: RecoverDeps, lost: Lost, lastReceipt = 0): Promise<Recovery> {
  const deps: RecoverDeps = { ...given, reissuing: true };
  const series = deps.livemode && !deps.sandbox ? 'live' : 'test';
  const lostReceipts = { paymentIds: lostPayments(lost), lastPrinted: lastReceipt, at: deps.now() };
  const skipped = await skipLostNumbers(deps.db, series, lostReceipts);
  const problems: { id: string; problem: string }[] = [];
  const attempt = async (id: string, work: () => Promise<Outcome>) => {
    const problem = await work().then(problemOf, (error: unknown) => String(error));
    if (problem !== undefined) problems.push({ id, problem });
  };
  const recorded = new Set<string>();
  await inTurn(pagesByCheckout(lost), async (pages) => {
    for (const page of pages) await attempt(page.session.sessionId, () => recoverPage(deps, page, recorded));
  });
  const charges = [...lost.charges.map(({ chargeId }) => chargeId), ...(await chargesUnderWay(deps.db.kysely))];
  const others = new Set(charges.filter((id) => !recorded.has(id)));
  await inTurn([...others], (id) => attempt(id, () => recordCharge(deps, id)));
  const subscriptions = await runningSubscriptions(deps.db.kysely);
  await inTurn(subscriptions, (id) => attempt(id, () => recordSubscription(deps, id)));
  await attempt('account fees', () => recoverAccountFees(deps));
  await attempt('payouts', () => recoverPayouts(deps));
  return { skipped, problems };
}

/** A checkout that is missing is rebuilt from the page that paid it: of what was paid besides, a person decides. */
function pagesByCheckout({ pages }: Lost): (readonly LostPage[])[] {
  const byCheckout = Map.groupBy(pages, ({ session }) => session.checkoutId).values();
  const postedFirst = (one: LostPage, other: LostPage) => Number(other.isPosted) - Number(one.isPosted);
  return [...byCheckout].map((theirs) => theirs.toSorted(postedFirst));
}

/** Ids of the payments that may have been receipted: charges, and paid pages whose charge isn't on the balance yet. */
function lostPayments({ pages, charges }: Lost): string[] {
  const missing = charges.filter(({ differences }) => differences.some(({ kind }) => kind === 'charges'));
  const charged = new Set(missing.map(({ checkoutId }) => checkoutId));
  const uncharged = pages.filter(
    ({ session, isPosted }) => session.isPaid && !isPosted && !charged.has(session.checkoutId),
  );
  return [...missing.map(({ chargeId }) => chargeId), ...uncharged.map(({ session }) => session.sessionId)];
}

type Outcome = RecordResult | Awaited<ReturnType<typeof recordSubscription>>;

/** @param charges gets what was recorded */
async function recoverPage(deps: RecoverDeps, page: LostPage, charges: Set<string>): Promise<Outcome> {
  const { sessionId, checkoutId, state } = page.session;
  if (page.cart) await addCheckout(deps, page, page.cart);
  if (state === 'open') return { outcome: 'recorded', checkoutId };
  const recorded = await recordSession(deps, sessionId);
  if (recorded instanceof Failure || recorded.outcome !== 'recorded') return recorded;
  // Also where the payment itself was not lost.
  for (const chargeId of await chargesOf(deps.db.kysely, checkoutId)) {
    const charge = await recordCharge(deps, chargeId);
    if (charge instanceof Failure) return charge;
    charges.add(chargeId);
  }
  return recorded;
}

async function recoverAccountFees(deps: RecoverDeps): Promise<Outcome> {
  const read = await readAccountFees(deps);
  return read instanceof Failure ? read : { outcome: 'ignored' };
}

async function recoverPayouts(deps: RecoverDeps): Promise<Outcome> {
  const listed = await deps.payments.listPayouts();
  if (listed instanceof Failure) return listed;
  const failed = await recordMissedPayouts(deps, listed);
  return failed?.failure ?? { outcome: 'ignored' };
}

async function addCheckout(
  { db, now }: RecoverDeps,
  { session, isExact, coveredFee }: LostPage,
  cart: NonNullable<LostPage['cart']>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isAdded = await addMissingCheckout(tx, {
      id: session.checkoutId,
      org_id: session.orgId,
      cart: JSON.stringify(cart),
      total_cents: session.amount,
      covered_fee_cents: coveredFee.first,
      covered_renewal_fee_cents: coveredFee.renewal,
      carbon: cartCarbon(cart),
      currency: session.currency,
      language: storedLanguage(languageNamed(session.language)),
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

function problemOf(outcome: Outcome): string | undefined {
  if (outcome instanceof Failure) return failureSentence(outcome);
  if (outcome.outcome === 'attention') return `needs attention: ${outcome.reason}`;
  return undefined;
}

const AT_ONCE = 8;

/** Works on several at a time, in their order, since the provider takes a while to answer. */
async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
