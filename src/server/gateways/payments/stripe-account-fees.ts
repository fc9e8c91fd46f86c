import type Stripe from 'stripe';

const FEE_TYPES: readonly string[] = ['stripe_fee', 'stripe_fx_fee', 'tax_fee'];

/** Detects a fee for the account itself. Older and rarer fees are adjustments. */
export function isAccountFee({ type, reporting_category, source }: Stripe.BalanceTransaction): boolean {
  return FEE_TYPES.includes(type) || (type === 'adjustment' && reporting_category === 'fee' && source === null);
}
