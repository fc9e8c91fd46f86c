import type Stripe from 'stripe';
import { type CoveredFee, NO_COVERED_FEE } from '#domain/card-fee.ts';
import type { Cents } from '#domain/money.ts';

/** Builds a session's metadata for the covered card fee: "330/176" is 330 cents now and 176 with each renewal. */
export function toSessionMetadata({ initial, renewal }: CoveredFee): Stripe.MetadataParam {
  return initial === 0 ? {} : { coveredFee: `${initial}/${renewal}` };
}

export function parseSessionMetadata({ coveredFee }: Stripe.Metadata): CoveredFee {
  const [initial, renewal] = parseNumbers(coveredFee);
  return initial === undefined || renewal === undefined ? NO_COVERED_FEE : { initial, renewal };
}

/** Builds a subscription's metadata: "176/5176" means 176 of 5176 cents. An empty string removes the key. */
export function toSubscriptionMetadata(amount: Cents, coveredFee: Cents): Stripe.MetadataParam {
  return { coveredFee: coveredFee === 0 ? '' : `${coveredFee}/${amount}` };
}

/**
 * Parses the covered fee. Returns 0 if the metadata has a different amount, because the amount was then changed in
 * Stripe.
 */
export function parseSubscriptionMetadata(metadata: Stripe.Metadata | null | undefined, amount: Cents): Cents {
  const [fee = 0, amountWithFee] = parseNumbers(metadata?.coveredFee);
  return amountWithFee === amount && fee < amount ? fee : 0;
}

function parseNumbers(text = ''): number[] {
  return /^\d{1,8}\/\d{1,8}$/.test(text) ? text.split('/').map(Number) : [];
}
