import type { Cents } from './money.ts';
import { isEmail } from './profile.ts';

/** What an editor's words look for among checkouts: an amount, a whole address, or a name, part of an address or an id. */
export type SearchedFor =
  | { readonly kind: 'everything' }
  | { readonly kind: 'amount'; readonly cents: Cents }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'text'; readonly text: string };

export const SEARCH_MAXIMUM = 254;

/** "25", "$25", "$1,234.50". */
const AMOUNT = /^\$?\s?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/;

/** Reads what was typed into the search of checkouts. */
export function searchedFor(typed: string): SearchedFor {
  const text = typed.trim();
  if (text === '') return { kind: 'everything' };
  const amount = AMOUNT.exec(text);
  if (amount) return { kind: 'amount', cents: centsOf(amount[1], amount[2]) };
  return isEmail(text) ? { kind: 'email', email: text.toLowerCase() } : { kind: 'text', text };
}

function centsOf(dollars = '0', fraction = ''): Cents {
  return Number(dollars.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
}
