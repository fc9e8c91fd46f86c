import { PAYMENT_STATUSES } from './checkout.ts';
import type { Cents } from './money.ts';
import { isEmail } from './profile.ts';

/**
 * Search for gifts. text: a name, part of an email address, an id, or a check number. number: the number of a receipt
 * or check; `cents` is set if it may also be an amount.
 */
export type CheckoutSearch =
  | { readonly kind: 'everything' }
  | { readonly kind: 'amount'; readonly cents: Cents }
  | { readonly kind: 'number'; readonly number: string; readonly cents: Cents | undefined }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'text'; readonly text: string };

export const MAX_QUERY_LENGTH = 254;

/** How a gift is paid: online (by card or bank debit), or by check. */
export const GIFT_KINDS = ['card', 'check'] as const;
export type GiftKind = (typeof GIFT_KINDS)[number];

/** Rows of the editors' list: checkouts with their first payment, later payments of recurring gifts, and checks. */
export type GiftRowKind = 'card' | 'renewal' | 'check';

/** Row kinds of each list. The list in the specification has checkouts only. */
export const GIFT_LISTS = {
  card: ['card'],
  online: ['card', 'renewal'],
  check: ['check'],
  all: ['card', 'renewal', 'check'],
} as const satisfies Readonly<Record<string, readonly GiftRowKind[]>>;
export const GIFT_LIST_NAMES = Object.keys(GIFT_LISTS) as readonly (keyof typeof GIFT_LISTS)[];

/** Gift statuses. `paid` includes received checks. The last four are for checks only. */
export const SEARCH_STATUSES = [...PAYMENT_STATUSES, 'pledged', 'suspicious', 'withdrawn', 'bounced'] as const;
export type SearchStatus = (typeof SEARCH_STATUSES)[number];

/** If more gifts match, they are neither counted nor added up. */
export const MAX_COUNTED_GIFTS = 10_000;

/** "25", "$25", "$1,234.50". */
const AMOUNT_PATTERN = /^\$?\s?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/;
/** "1210" */
const DIGITS_PATTERN = /^\d{1,9}$/;
/** "no. 1210", "#1210", "receipt no. 1210", "check 1210" */
const NUMBER_PATTERN = /^(?:receipt|check)?\s*(?:no\.?|#)?\s*(\d{1,12})$/i;

export function parseCheckoutSearch(input: string): CheckoutSearch {
  const text = input.trim();
  if (text === '') return { kind: 'everything' };
  if (DIGITS_PATTERN.test(text)) return { kind: 'number', number: text, cents: parseCents(text) };
  const amount = AMOUNT_PATTERN.exec(text);
  if (amount) return { kind: 'amount', cents: parseCents(amount[1], amount[2]) };
  const [, number] = NUMBER_PATTERN.exec(text) ?? [];
  if (number !== undefined) return { kind: 'number', number, cents: undefined };
  return isEmail(text) ? { kind: 'email', email: text.toLowerCase() } : { kind: 'text', text };
}

function parseCents(dollars = '0', fraction = ''): Cents {
  return Number(dollars.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
}
