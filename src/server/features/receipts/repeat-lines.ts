import { type CartItem, cartRenewal } from '#domain/cart.ts';
import { formatCents } from '#domain/money.ts';
import type { Parent } from '#server/deps.ts';
import { dateText } from './date-text.ts';

/** What of a receipt is about the gift that it repeats. */
type RepeatingGift = {
  readonly number: number;
  readonly items: readonly CartItem[];
  readonly nextChargeAt: Date | undefined;
  readonly parent: Parent;
};

/**
 * What will be charged again, when next, and how to stop it, a sentence each; nothing for a gift made once. The date
 * is the provider's, and about: the charge itself may take some hours, and the donor's day may be another one.
 */
export function repeatLines({ number, items, nextChargeAt, parent }: RepeatingGift): string[] {
  const renewal = cartRenewal(items);
  if (!renewal) return [];
  return [
    `${formatCents(renewal.amount)} will be charged ${renewal.every} from now on, until you stop it.`,
    ...(nextChargeAt ? [`The next charge is due about ${dateText(nextChargeAt)}.`] : []),
    howToStop(number, parent),
  ];
}

/** The one place that says how a recurring gift is stopped. */
function howToStop(number: number, { contactEmail }: Parent): string {
  return `You can stop it at any time: write to ${contactEmail} and name receipt no. ${number}.`;
}
