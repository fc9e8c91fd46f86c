import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isOver, isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { cameFromReceipt } from '#server/features/receipts/receipt-link.ts';
import { storyOfCheckout } from '#server/features/stories/submitted-story.ts';
import { presentCheckout } from './checkouts.present.ts';
import { type CheckoutKey, type CheckoutRow, checkoutById, claimAsking } from './checkouts.store.ts';
import { type RecordDeps, recordPayment } from './record-payment.ts';

/** The browser asks again and again while it waits; the provider is not asked more often than this. */
const ASK_PAUSE_MS = 2000;

/**
 * What the holder of a checkout's id may know of it. While its payment is unsettled the provider is asked first,
 * since the browser may return before the webhook comes; `onProblem` hears when that failed, which changes nothing.
 * @returns Failure org-not-found, checkout-not-found
 */
export async function readCheckout(
  deps: RecordDeps,
  key: CheckoutKey,
  receiptKey?: string,
  onProblem: (failure: Failure) => void = () => {},
): Promise<Checkout | Failure> {
  const before = await checkoutById(deps.db.kysely, key);
  if (!before) return new Failure('checkout-not-found');
  const asked = await askProvider(deps, key, before);
  if (asked instanceof Failure) onProblem(asked);
  const checkout = asked === 'recorded' ? await checkoutById(deps.db.kysely, key) : before;
  return checkout ? viewOf(deps, checkout, receiptKey) : new Failure('checkout-not-found');
}

async function askProvider(deps: RecordDeps, key: CheckoutKey, { payment_status }: CheckoutRow) {
  if (!isUnsettled(payment_status)) return undefined;
  const now = deps.now();
  const notSince = new Date(now.getTime() - ASK_PAUSE_MS);
  const sessionId = await claimAsking(deps.db.kysely, key, { now, notSince });
  return sessionId === undefined ? undefined : recordPayment(deps, sessionId);
}

/** A checkout as it is now, with its story where there is one. */
export async function viewOf(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  receiptKey?: string,
): Promise<Checkout> {
  const over = await isCheckoutOver({ db, now }, checkout, receiptKey);
  const story = await storyOfCheckout(db.kysely, checkout.org_id, checkout.id);
  return presentCheckout(checkout, { over, story });
}

/** Whether the profile step is over (§4), for whoever comes with this key of a receipt or without one. */
export async function isCheckoutOver(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { id, org_id, completed, payment_status, created_at }: CheckoutRow,
  receiptKey: string | undefined,
): Promise<boolean> {
  const fromReceipt = await cameFromReceipt(db, org_id, id, receiptKey);
  return isOver({ completed, paymentStatus: payment_status, createdTimestamp: created_at }, now(), fromReceipt);
}
