import { callPath } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isProfileStepOver, isUnsettled } from '#domain/checkout.ts';
import { dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { toDollars } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import { maskEmail } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { type CheckoutKey, type CheckoutRow, findCheckoutRow } from '#server/entities/find-checkout.ts';
import { findVerifiedUser } from '#server/entities/find-user.ts';
import { getProfilePath, presentProfile } from '#server/entities/present-profile.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { isReceiptLink, receiptFilePath } from '#server/features/receipts/receipt-link.ts';
import {
  findOffsetter,
  findOffsetterByCheckout,
  isOwner,
  type OffsetterRow,
} from '#server/features/stories/offsetters.ts';
import { findTribute, presentTribute } from '#server/features/tributes/tributes.ts';
import type { Log } from '#server/log.ts';
import { claimSessionRead, findBrowserStory, findDonorOnlyFields, hasReturns } from './checkouts.store.ts';
import { findCallerOffsetter, isCreator, isPayer } from './payer.ts';

/** The caller, the key from the receipt link, and the hash of the browser's cookie (see browser-cookie.ts), if any. */
export type Visit = {
  readonly actor: Actor;
  readonly receiptKey?: string | undefined;
  readonly creatorHash?: string | undefined;
};

/** Minimum time between two reads of a session from Stripe, because browsers poll. */
const MIN_SESSION_READ_INTERVAL_MS = 2000;

/**
 * Reads the public part of a checkout. If its payment is unsettled, first reads the session from Stripe, because the browser
 * may return before the webhook arrives. Over the rate limit, returns the stored status.
 * @returns Failure checkout-not-found
 */
export async function readCheckout(
  deps: RecordDeps,
  key: CheckoutKey,
  visit: Visit & { readonly ipAddress: string },
  log: Log,
): Promise<Checkout | Failure> {
  const storedCheckout = await findCheckoutRow(deps.db.kysely, key);
  if (!storedCheckout) return new Failure('checkout-not-found');
  const recordResult = await recordUnsettledSession(deps, key, storedCheckout, visit.ipAddress);
  if (recordResult instanceof Failure)
    log.warn({ code: recordResult.code, checkoutId: key.checkoutId }, 'a checkout could not be settled');
  const checkout = recordResult === undefined ? storedCheckout : await findCheckoutRow(deps.db.kysely, key);
  return checkout ? viewCheckout(deps, checkout, visit) : new Failure('checkout-not-found');
}

async function recordUnsettledSession(
  deps: RecordDeps,
  key: CheckoutKey,
  { payment_status, provider_checked_at }: CheckoutRow,
  ipAddress: string,
) {
  const now = deps.now();
  const notReadSince = new Date(now.getTime() - MIN_SESSION_READ_INTERVAL_MS);
  if (!isUnsettled(payment_status) || (provider_checked_at && provider_checked_at > notReadSince)) return undefined;
  // Check before claiming, because a claimed session counts as read.
  if (await checkRateLimit(deps, 'payment-question', { client: ipAddress, resource: 'all' })) return undefined;
  const sessionId = await claimSessionRead(deps.db.kysely, key, { now, notReadSince });
  return sessionId === undefined ? undefined : recordSession(deps, sessionId);
}

export async function viewCheckout(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  visit: Visit,
): Promise<Checkout> {
  const hasStepEnded = await hasProfileStepEnded({ db, now }, checkout, visit.receiptKey);
  const view = presentCheckout(checkout, hasStepEnded, await readStory(db, checkout, visit));
  const donorPart = await readDonorPart(db, checkout, visit);
  const isPartlyReturned = checkout.payment_status === 'paid' && (await hasReturns(db.kysely, checkout.id));
  return { ...view, ...(isPartlyReturned && { isPartlyReturned: true }), ...donorPart };
}

type CheckoutStory = {
  readonly story: OffsetterRow;
  /** The submitter and the owner may see a draft that is pending approval (decisions §5). */
  readonly canShowDraft: boolean;
};

/** Reads the story submitted at a checkout, or the existing one of the payer or of the browser that opened it. */
async function readStory(
  { kysely }: Database,
  checkout: CheckoutRow,
  { actor, creatorHash }: Visit,
): Promise<CheckoutStory | undefined> {
  const submittedStory = await findOffsetterByCheckout(kysely, checkout.org_id, checkout.id);
  if (submittedStory) return { story: submittedStory, canShowDraft: true };
  const { org_id: orgId, offsetter_id: id } = checkout;
  const existingStory =
    id === null ? await findCallerOffsetter(kysely, checkout, actor) : await findOffsetter(kysely, orgId, id);
  if (existingStory) return { story: existingStory, canShowDraft: isOwner(existingStory, actor) };
  if (creatorHash === undefined || !isCreator(checkout, creatorHash)) return undefined;
  const browserStory = await findBrowserStory(kysely, checkout, creatorHash);
  return browserStory && { story: browserStory, canShowDraft: false };
}

/** Omits the payer (decisions §6). */
function presentCheckout(
  checkout: CheckoutRow,
  hasStepEnded: boolean,
  checkoutStory: CheckoutStory | undefined,
): Checkout {
  const { org_id: orgId, payment_status } = checkout;
  const story = checkoutStory?.story;
  const canBeShown = story !== undefined && story.shown_as !== 'none';
  const isPublic = canBeShown && story.status === 'published';
  const awaitsApproval = canBeShown && story.status === 'draft' && checkoutStory?.canShowDraft;
  return {
    id: checkout.id,
    paymentStatus: payment_status,
    completed: checkout.completed,
    isOver: hasStepEnded || story !== undefined,
    needsCompletion: payment_status === 'paid' && !hasStepEnded && story !== undefined,
    cart: checkout.cart,
    total: toDollars(checkout.total_cents),
    coveredFee: toDollars(checkout.covered_fee_cents),
    paymentURL: payment_status === 'unpaid' ? checkout.payment_url : null,
    offsetterURL: isPublic ? getProfilePath('offsetter', orgId, story.id) : null,
    draft: awaitsApproval ? presentProfile(story, { kind: 'offsetter', orgId }) : null,
    createdTimestamp: checkout.created_at.toISOString(),
  };
}

/**
 * Reads the part of a checkout that only the payer and the browser that opened it may see (decisions §6). The receipt's
 * link, which may be forwarded, shows only the tribute.
 */
async function readDonorPart(
  db: Database,
  checkout: CheckoutRow,
  { actor, receiptKey, creatorHash }: Visit,
): Promise<Pick<Checkout, 'tribute' | 'donor'>> {
  const user = await findVerifiedUser(db.kysely, actor);
  const isOwnBrowser = isCreator(checkout, creatorHash);
  const isDonor = isOwnBrowser || (user !== undefined && isPayer(checkout, user));
  if (!isDonor && !(await isReceiptLink(db, checkout.org_id, checkout.id, receiptKey))) return {};
  const tribute = await findTribute(db.kysely, checkout.id);
  const donor = isDonor && checkout.paid_at ? await presentDonor(db, checkout, isOwnBrowser) : undefined;
  return { ...(tribute && { tribute: presentTribute(tribute) }), ...(donor && { donor }) };
}

async function presentDonor(
  { kysely }: Database,
  { id, org_id: orgId, display_name: name, email }: CheckoutRow,
  isOwnBrowser: boolean,
): Promise<NonNullable<Checkout['donor']>> {
  const { receipt_number, receipt_key: key, next_charge_at, time_zone } = await findDonorOnlyFields(kysely, id);
  // The browser doesn't get the receipt's key, because the key allows more than reading.
  const receiptURL = isOwnBrowser
    ? callPath('openCheckoutReceipt', { orgid: orgId, checkoutid: id })
    : key && receiptFilePath({ orgId, key });
  return {
    name,
    maskedEmail: email && maskEmail(email),
    receiptNumber: receipt_number,
    receiptURL: key === null ? null : receiptURL,
    nextChargeOn: next_charge_at && dayOf(next_charge_at, time_zone),
  };
}

/** True if no profile step remains (§4): it has ended, or the checkout or the caller already has an offsetter. */
export async function isCheckoutOver(
  deps: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  { actor, receiptKey }: Visit,
): Promise<boolean> {
  if (checkout.offsetter_id !== null || (await findCallerOffsetter(deps.db.kysely, checkout, actor))) return true;
  return hasProfileStepEnded(deps, checkout, receiptKey);
}

/** True if the checkout is completed or, by the server's clock, too old (§4, decisions §3). */
async function hasProfileStepEnded(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  checkout: CheckoutRow,
  receiptKey: string | undefined,
): Promise<boolean> {
  const { id, org_id, completed, payment_status: paymentStatus, created_at: createdTimestamp } = checkout;
  const isFromReceipt = await isReceiptLink(db, org_id, id, receiptKey);
  return isProfileStepOver({ completed, paymentStatus, createdTimestamp }, now(), isFromReceipt);
}
