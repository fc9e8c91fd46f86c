import type { Checkout } from '#contract/schemas/checkouts.ts';

/**
 * Where a payer stands, which decides what the checkout page shows (§2, §4, decisions §3).
 * confirming: the provider has not said yet. processing: a bank debit is under way. asking: paid, and the profile is
 * asked for. over: paid, and nothing is left to do. The others are what the provider said.
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

/** @param treatedAsOver an upload failed, after which the checkout counts as over (§4) */
export function stageOf(
  { paymentStatus, over }: Pick<Checkout, 'paymentStatus' | 'over'>,
  treatedAsOver = false,
): CheckoutStage {
  if (paymentStatus === 'unpaid') return 'confirming';
  if (paymentStatus !== 'paid') return paymentStatus;
  return over || treatedAsOver ? 'over' : 'asking';
}

/** Whether money has come and stayed, so that the cart is a gift. */
export function isGiven(stage: CheckoutStage): boolean {
  return stage === 'asking' || stage === 'over';
}

/**
 * What became of a profile that was submitted in this tab, and stayed here.
 * sent: it waits for an editor. not-shown: the donor asked not to be shown. lost: nobody knows whether it arrived.
 */
export type ProfileNews = 'sent' | 'not-shown' | 'lost';

/** What the page of a stage says: its heading, and one sentence that tells the payer where they stand. */
export type StageWords = { readonly heading: string; readonly lead: string };

const THANKS = 'Thank you for offsetting!';
const CONFIRMING = 'We are confirming your payment';

const WORDS: Readonly<Record<Exclude<CheckoutStage, 'over'>, StageWords>> = {
  confirming: {
    heading: CONFIRMING,
    lead: 'This usually takes a few seconds. The page goes on by itself, there is nothing to reload.',
  },
  processing: {
    heading: CONFIRMING,
    lead: 'Your bank debit is under way. Banks take some days for it.',
  },
  asking: { heading: THANKS, lead: 'Your payment is confirmed.' },
  failed: { heading: 'Your payment did not go through', lead: 'Nothing was charged.' },
  expired: { heading: 'This checkout has expired', lead: 'It was not paid in time, and nothing was charged.' },
  refunded: {
    heading: 'Your gift was refunded',
    lead: 'The amount goes back to the card or account it came from, which can take some days.',
  },
  disputed: {
    heading: 'This payment is disputed',
    lead: 'Your bank has asked for the payment back, and it no longer counts as a gift.',
  },
};

/** The words of a stage; once the checkout is over, what became of the profile is their news. */
export function wordsOf(stage: CheckoutStage, profile: ProfilePlace, news?: ProfileNews): StageWords {
  return stage === 'over' ? { heading: THANKS, lead: leadWhenOver(profile, news) } : WORDS[stage];
}

type ProfilePlace = Pick<Checkout, 'draft' | 'offsetterURL'>;

function leadWhenOver({ draft, offsetterURL }: ProfilePlace, news: ProfileNews | undefined): string {
  if (draft) return 'Your story is waiting for an editor.';
  if (offsetterURL !== null) return 'Your gift is received and your story is told.';
  if (news === 'not-shown') return 'Your gift is received. You asked not to be shown, so no page was made of it.';
  return news === 'lost' ? 'Your gift is received, but your profile may not be.' : 'Your gift is received.';
}

/**
 * Whether the profile is there but the checkout was never marked as completed, so that a complete call is due (§4).
 */
export function needsCompletion({
  paymentStatus,
  completed,
  draft,
  offsetterURL,
}: Pick<Checkout, 'paymentStatus' | 'completed' | 'draft' | 'offsetterURL'>): boolean {
  return paymentStatus === 'paid' && !completed && (draft !== null || offsetterURL !== null);
}
