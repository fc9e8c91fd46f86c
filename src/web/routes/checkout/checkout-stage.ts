import type { Checkout } from '#contract/schemas/checkouts.ts';
import { m } from '#messages';

/**
 * Content of the checkout page (§2, §4, decisions §3).
 * confirming: the provider has not answered yet. processing: a bank debit is pending. asking: paid, and the profile
 * form is open. over: paid, and nothing is left to do. The others are the provider's payment statuses.
 */
export type CheckoutStage =
  | 'confirming'
  | 'processing'
  | 'asking'
  | 'over'
  | 'failed'
  | 'expired'
  | 'refunded'
  | 'disputed';

/** @param uploadLost after a failed upload the checkout counts as over (§4) */
export function stageOf(
  { paymentStatus, over }: Pick<Checkout, 'paymentStatus' | 'over'>,
  uploadLost = false,
): CheckoutStage {
  if (paymentStatus === 'unpaid') return 'confirming';
  if (paymentStatus !== 'paid') return paymentStatus;
  return over || uploadLost ? 'over' : 'asking';
}

export function isPaidStage(stage: CheckoutStage): boolean {
  return stage === 'asking' || stage === 'over';
}

/**
 * What happened to a profile submitted in this tab, if it was not published.
 * in-review: an editor has to approve it. not-shown: the donor chose not to be shown. lost: it may not have arrived.
 */
export type ProfileOutcome = 'in-review' | 'not-shown' | 'lost';

export type StageText = { readonly heading: string; readonly lead: string };

const THANKS = m.checkoutThanksTitle();
const CONFIRMING = m.checkoutConfirmingTitle();

const TEXTS: Readonly<Record<Exclude<CheckoutStage, 'asking' | 'over'>, StageText>> = {
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

export function stageText(stage: CheckoutStage, checkout: ThankedCheckout, outcome?: ProfileOutcome): StageText {
  if (stage === 'asking') return { heading: THANKS, lead: thanked(m.checkoutConfirmed(), checkout) };
  if (stage === 'over') return { heading: THANKS, lead: thanked(overLead(checkout, outcome), checkout) };
  return isDebitTriedAgain(stage, checkout) ? TRIED_AGAIN : TEXTS[stage];
}

/** The first debit of a recurring gift failed. The provider may try again, and the donor must not give twice. */
export function isDebitTriedAgain(stage: CheckoutStage, { cart }: Pick<Checkout, 'cart'>): boolean {
  return stage === 'failed' && cart.some(({ recurring }) => recurring !== 'no');
}

const TRIED_AGAIN: StageText = {
  heading: m.checkoutFailedTitle(),
  lead: m.checkoutTriedAgain(),
};

type ThankedCheckout = Pick<Checkout, 'draft' | 'offsetterURL' | 'cart'>;

/** The heading thanks for offsetting (§2); a donation without any offset is thanked for as well. */
function thanked(lead: string, { cart }: ThankedCheckout): string {
  return cart.some(({ type }) => type === 'offset') ? lead : `${m.checkoutThanksForGiving()} ${lead}`;
}

function overLead({ draft, offsetterURL }: ThankedCheckout, outcome: ProfileOutcome | undefined): string {
  if (draft) return m.checkoutInReview();
  if (offsetterURL !== null) return m.checkoutStoryLive();
  if (outcome === 'not-shown') return m.checkoutNotShown();
  return outcome === 'lost' ? m.checkoutStoryLost() : m.checkoutReceived();
}
