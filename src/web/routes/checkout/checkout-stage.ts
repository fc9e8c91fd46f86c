import type { Checkout } from '#contract/schemas/checkouts.ts';
import { dayText } from '#domain/days.ts';
import { formatCents, toChargedCents } from '#domain/money.ts';
import { tributeText } from '#domain/tribute.ts';
import { describeRenewal } from '#domain/validate-cart.ts';
import { m } from '#messages';

/**
 * Content of the checkout page (§2, §4, decisions §3). confirming: the provider has not reported a payment yet.
 * processing: a bank debit is pending. profile-form: paid, and the profile form is open. over: paid, and nothing is
 * left to do. The others are the provider's payment statuses.
 */
export type CheckoutStage =
  | 'confirming'
  | 'processing'
  | 'profile-form'
  | 'over'
  | 'failed'
  | 'expired'
  | 'refunded'
  | 'disputed';

/** @param isUploadLost after a failed upload, the checkout counts as over (§4) */
export function getStage(
  { paymentStatus, isOver }: Pick<Checkout, 'paymentStatus' | 'isOver'>,
  isUploadLost = false,
): CheckoutStage {
  if (paymentStatus === 'unpaid') return 'confirming';
  if (paymentStatus !== 'paid') return paymentStatus;
  return isOver || isUploadLost ? 'over' : 'profile-form';
}

export function isPaidStage(stage: CheckoutStage): boolean {
  return stage === 'profile-form' || stage === 'over';
}

/**
 * The outcome of a profile that was submitted in this tab but not published.
 * in-review: an editor has to approve the profile. lost: the profile may not have arrived.
 */
export type ProfileOutcome = 'in-review' | 'lost';

export type StageText = { readonly heading: string; readonly lead: string };

const THANKS = m.checkoutThanksTitle();
const CONFIRMING = m.checkoutConfirmingTitle();

const TEXTS: Readonly<Record<Exclude<CheckoutStage, 'profile-form' | 'over'>, StageText>> = {
  confirming: { heading: CONFIRMING, lead: m.checkoutConfirming() },
  processing: {
    heading: CONFIRMING,
    lead: m.checkoutProcessing(),
  },
  failed: { heading: m.checkoutFailedTitle(), lead: m.checkoutFailed() },
  expired: { heading: m.checkoutExpiredTitle(), lead: m.checkoutExpired() },
  refunded: {
    heading: m.checkoutRefundedTitle(),
    lead: m.checkoutRefunded(),
  },
  disputed: {
    heading: m.checkoutDisputedTitle(),
    lead: m.checkoutDisputed(),
  },
};

export function getStageText(stage: CheckoutStage, checkout: CheckoutFacts, outcome?: ProfileOutcome): StageText {
  if (stage === 'profile-form') return { heading: THANKS, lead: formatGiftLead(checkout) };
  if (stage === 'over') return { heading: THANKS, lead: withThanks(formatCompleteLead(checkout, outcome), checkout) };
  return willRetryDebit(stage, checkout) ? RETRY_TEXT : TEXTS[stage];
}

/** @returns whether a recurring gift's first debit failed; the provider may retry, and the donor must not pay twice */
export function willRetryDebit(stage: CheckoutStage, { cart }: Pick<Checkout, 'cart'>): boolean {
  return stage === 'failed' && cart.some(({ recurring }) => recurring !== 'no');
}

const RETRY_TEXT: StageText = {
  heading: m.checkoutFailedTitle(),
  lead: m.checkoutTriedAgain(),
};

type CheckoutFacts = Pick<
  Checkout,
  'draft' | 'offsetterURL' | 'cart' | 'total' | 'coveredFee' | 'isPartlyReturned' | 'tribute' | 'donor'
>;

/** Summary of the gift: effect, tribute, and next charge. Other visitors see only the effect. */
function formatGiftLead({ cart, total, isPartlyReturned, tribute, donor }: CheckoutFacts): string {
  if (isPartlyReturned) return m.checkoutConfirmed();
  const renewal = describeRenewal(cart);
  const amount = formatCents(toChargedCents(total));
  return [
    tribute && `${tributeText(tribute)}.`,
    renewal
      ? m.checkoutGiftEvery({ amount: formatCents(renewal.amount), interval: renewal.intervalText })
      : m.checkoutGift({ amount }),
    donor?.nextChargeOn && m.checkoutNextGift({ day: dayText(donor.nextChargeOn) }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Thanks donors who bought no offset, because the heading thanks only for offsetting (§2). */
function withThanks(lead: string, { cart }: CheckoutFacts): string {
  return cart.some(({ type }) => type === 'offset') ? lead : `${m.checkoutThanksForGiving()} ${lead}`;
}

function formatCompleteLead({ draft, offsetterURL }: CheckoutFacts, outcome: ProfileOutcome | undefined): string {
  if (draft) return m.checkoutInReview();
  if (offsetterURL !== null) return m.checkoutStoryLive();
  return outcome === 'lost' ? m.checkoutStoryLost() : m.checkoutReceived();
}
