import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isOver, isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { cameFromReceipt } from '#server/features/receipts/receipt-link.ts';
import { anyOffsetter } from '#server/features/stories/own-offsetter.ts';
import { isOwner } from '#server/features/stories/present-own-offsetter.ts';
import { storyOfCheckout } from '#server/features/stories/submitted-story.ts';
import { presentCheckout, type ToldStory } from './checkouts.present.ts';
import { type CheckoutKey, type CheckoutRow, checkoutById, claimAsking } from './checkouts.store.ts';
import { offsetterOfBearer } from './payer.ts';
import { type RecordDeps, recordPayment } from './record-payment.ts';

/** Who comes to a checkout, and with which key of a receipt, if with any. */
export type Visit = { readonly actor: Actor; readonly receiptKey?: string | undefined };

/** The browser asks again and again while it waits; the provider is not asked more often than this. */
const ASK_PAUSE_MS = 2000;

/**
 * What the holder of a checkout's id may know of it. While its payment is unsettled the provider is asked first,
 * since the browser may return before the webhook comes; `onProblem` hears when that failed, which changes nothing.
 * @returns Failure checkout-not-found
 */
export async function readCheckout(
  deps: RecordDeps,
  key: CheckoutKey,
  visit: Visit,
  onProblem: (failure: Failure) => void = () => {},
): Promise<Checkout | Failure> {
  const before = await checkoutById(deps.db.kysely, key);
  if (!before) return new Failure('checkout-not-found');
  const asked = await askProvider(deps, key, before);
  if (asked instanceof Failure) onProblem(asked);
  const checkout = asked === 'recorded' ? await checkoutById(deps.db.kysely, key) : before;
  return checkout ? viewOf(deps, checkout, visit) : new Failure('checkout-not-found');
}

export async function checkoutExists(db: Database, orgId: string, checkoutId: string): Promise<boolean> {
  return (await checkoutById(db.kysely, { orgId, checkoutId })) !== undefined;
}

async function askProvider(deps: RecordDeps, key: CheckoutKey, { payment_status }: CheckoutRow) {
  if (!isUnsettled(payment_status)) return undefined;
  const now = deps.now();
  const notSince = new Date(now.getTime() - ASK_PAUSE_MS);
  const sessionId = await claimAsking(deps.db.kysely, key, { now, notSince });
  return sessionId === undefined ? undefined : recordPayment(deps, sessionId);
}

/** A checkout as it is now, for whoever comes, with its story where there is one. */
export async function viewOf(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  visit: Visit,
): Promise<Checkout> {
  const over = await isCheckoutOver({ db, now }, checkout, visit);
  return presentCheckout(checkout, { over, told: await toldStory(db, checkout, visit.actor) });
}

/** The story that was told of a checkout: its own, or an offsetter that was there before. */
async function toldStory({ kysely }: Database, checkout: CheckoutRow, actor: Actor): Promise<ToldStory | undefined> {
  const own = await storyOfCheckout(kysely, checkout.org_id, checkout.id);
  if (own) return { story: own, draftIsShown: true };
  const { org_id: orgId, offsetter_id: id } = checkout;
  const earlier =
    id === null ? await offsetterOfBearer(kysely, checkout, actor) : await anyOffsetter(kysely, { orgId, id });
  return earlier && { story: earlier, draftIsShown: isOwner(earlier, actor) };
}

/**
 * Whether the profile step is over (§4): also where the checkout has an offsetter, or whoever comes has one in the
 * organisation already.
 */
export async function isCheckoutOver(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  { actor, receiptKey }: Visit,
): Promise<boolean> {
  const { id, org_id, completed, payment_status: paymentStatus, created_at: createdTimestamp } = checkout;
  if (checkout.offsetter_id !== null || (await offsetterOfBearer(db.kysely, checkout, actor))) return true;
  const fromReceipt = await cameFromReceipt(db, org_id, id, receiptKey);
  return isOver({ completed, paymentStatus, createdTimestamp }, now(), fromReceipt);
}
