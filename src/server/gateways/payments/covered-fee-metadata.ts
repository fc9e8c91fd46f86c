import type Stripe from 'stripe';
import { type CoveredFee, NOT_COVERED } from '#domain/card-fee.ts';
import type { Cents } from '#domain/money.ts';

/** What a session keeps of the card fee that its lines cover: "330/176", the second with each renewal. */
export function metadataOfSession({ first, renewal }: CoveredFee): Stripe.MetadataParam {
  return first === 0 ? {} : { coveredFee: `${first}/${renewal}` };
}

export function coveredFeeOfSession({ coveredFee }: Stripe.Metadata): CoveredFee {
  const [first, renewal] = numbersOf(coveredFee);
  return first === undefined || renewal === undefined ? NOT_COVERED : { first, renewal };
}

/** What a subscription keeps: "176/5176" is the fee of an amount. Empty takes it away. */
export function metadataOfGift(amount: Cents, coveredFee: Cents): Stripe.MetadataParam {
  return { coveredFee: coveredFee === 0 ? '' : `${coveredFee}/${amount}` };
}

/** Nothing of another amount: someone has changed it at the provider. */
export function coveredFeeOfGift(metadata: Stripe.Metadata | null | undefined, amount: Cents): Cents {
  const [fee = 0, whole] = numbersOf(metadata?.coveredFee);
  return whole === amount && fee < amount ? fee : 0;
}

function numbersOf(text = ''): number[] {
  return /^\d{1,8}\/\d{1,8}$/.test(text) ? text.split('/').map(Number) : [];
}
