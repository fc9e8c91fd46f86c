import type { Gift, OwnOffsetter } from '#contract/schemas/users.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { chargeOf, formatCents, formatWhole, poundsOf, tenThousandthsOf } from '#domain/money.ts';
import { isStoryShown } from '#domain/profile.ts';
import { listed } from '#web/ui/listed.ts';

/** What somebody gave in all: gifts that came and stayed, in cents and in ten-thousandths of a pound. */
export type GivingTotals = { readonly gifts: number; readonly amount: number; readonly carbon: number };

/** Only what is paid counts: a bank debit under way may fail, and a refunded gift has gone back. */
export function givingTotals(gifts: readonly Gift[]): GivingTotals {
  const counted = gifts.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const sum = (each: (gift: Gift) => number) => counted.reduce((total, gift) => total + each(gift), 0);
  return {
    gifts: counted.length,
    amount: sum(({ amount }) => chargeOf(amount)),
    carbon: sum(({ carbon }) => tenThousandthsOf(carbon)),
  };
}

/** "You have given $125.00 in 3 gifts, and offset 10,000 lbs of carbon." Empty where nothing counts yet. */
export function totalsSentence({ gifts, amount, carbon }: GivingTotals): string {
  if (gifts === 0) return '';
  const given = `You have given ${formatCents(amount)} in ${gifts === 1 ? 'one gift' : `${gifts} gifts`}`;
  return carbon > 0 ? `${given}, and offset ${formatWhole(poundsOf(carbon))} lbs of carbon.` : `${given}.`;
}

/** What a gift was made of: "Air travel", "Donation and Home energy use"; a check has no cart. */
export function whatOf({ cart }: Pick<Gift, 'cart'>): string {
  const titles = [...new Set(cart.map(({ title }) => title))];
  return titles.length === 0 ? 'Gift by check' : listed(titles);
}

const STATUSES: Readonly<Record<PaymentStatus, string>> = {
  unpaid: 'Not paid',
  processing: 'Bank debit under way',
  paid: 'Paid',
  failed: 'Not charged',
  expired: 'Not charged',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

export function statusWord(status: PaymentStatus): string {
  return STATUSES[status];
}

/** How an own story stands: whether everybody sees it, or why not. */
export function storyStanding(own: Pick<OwnOffsetter, 'status' | 'shownAs'>): string {
  if (own.status === 'hidden') return 'Taken down';
  if (isStoryShown(own)) return 'Published';
  return own.shownAs === 'none' ? 'Not shown' : 'Waits for an editor';
}

/** Where a gift leads on: to the form of its story while that can be told, else to the story of the organisation. */
export function wayOn(
  { orgid, checkoutURL }: Pick<Gift, 'orgid' | 'checkoutURL'>,
  offsetters: readonly OwnOffsetter[],
): { readonly label: string; readonly to: string } | undefined {
  if (checkoutURL !== null) return { label: 'Tell your story', to: checkoutURL };
  const story = offsetters.find((own) => own.orgid === orgid && isStoryShown(own));
  return story && { label: 'See your story', to: story.profileURL };
}
