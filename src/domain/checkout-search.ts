import type { Cents } from './money.ts';
import { isEmail } from './profile.ts';

/** Search for checkouts; `text` is a name, part of an email address, or an id. */
export type CheckoutSearch =
  | { readonly kind: 'everything' }
  | { readonly kind: 'amount'; readonly cents: Cents }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'text'; readonly text: string };

export const SEARCH_MAXIMUM = 254;

/** "25", "$25", "$1,234.50". */
const AMOUNT = /^\$?\s?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/;

export function parseCheckoutSearch(input: string): CheckoutSearch {
  const text = input.trim();
  if (text === '') return { kind: 'everything' };
  const amount = AMOUNT.exec(text);
  if (amount) return { kind: 'amount', cents: centsOf(amount[1], amount[2]) };
  return isEmail(text) ? { kind: 'email', email: text.toLowerCase() } : { kind: 'text', text };
}

function centsOf(dollars = '0', fraction = ''): Cents {
  return Number(dollars.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
}
