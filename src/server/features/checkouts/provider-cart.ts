import { cartItem } from '#contract/schemas/checkouts.ts';
import { type CoveredFee, isCardFeeLine } from '#domain/card-fee.ts';
import { type CartItem, itemDescription, itemTitle } from '#domain/cart.ts';
import { OFFSET_TYPES, offsetTitle } from '#domain/emissions.ts';
import { toDollars } from '#domain/money.ts';
import { LANGUAGES, type Language } from '#messages';
import type { PaymentLine } from '#server/gateways/payments/payments.ts';

/** Titles and descriptions can be recomputed from the other fields. */
const storedItemsSchema = cartItem.omit({ title: true, description: true }).array().min(1);

/** Serializes a cart. The text is stored in Stripe, so that `npm run recover` can rebuild the checkout. */
export function serializeCart(cart: readonly CartItem[]): string {
  return JSON.stringify(cart.map(({ title: _title, description: _description, ...item }) => item));
}

/** Parses a cart stored in Stripe. @returns undefined if an incompatible version of the program wrote it */
export function parseStoredCart(text: string): CartItem[] | undefined {
  try {
    const items = storedItemsSchema.parse(JSON.parse(text));
    return items.map(({ offsetType, recurringInterval, factorsVersion, ...item }) => ({
      title: itemTitle(item.type, offsetType),
      description: itemDescription(item),
      ...item,
      ...(offsetType === undefined ? {} : { offsetType }),
      ...(recurringInterval === undefined ? {} : { recurringInterval }),
      ...(factorsVersion === undefined ? {} : { factorsVersion }),
    }));
  } catch {
    return undefined;
  }
}

/**
 * Rebuilds a cart from the lines of a payment page without a stored cart. Costs are exact and carbon is in whole pounds.
 * A line that merges several items becomes a donation without carbon.
 */
export function cartFromLines(lines: readonly PaymentLine[]): CartItem[] {
  return lines.filter((line) => !isCardFeeLine(line)).map(itemFromLine);
}

/** Computes the covered card fee from the lines of a payment page. */
export function coveredFeeFromLines(lines: readonly PaymentLine[]): CoveredFee {
  const fees = lines.filter(isCardFeeLine);
  const sum = (amounts: readonly PaymentLine[]) => amounts.reduce((total, { amount }) => total + amount, 0);
  return { initial: sum(fees), renewal: sum(fees.filter(({ recurring }) => recurring)) };
}

function itemFromLine({ name, description, amount, recurring }: PaymentLine): CartItem {
  const recurrence = recurring
    ? { recurring: recurring.unit, recurringInterval: recurring.count }
    : { recurring: 'no' as const };
  const matchesName = (getName: (locale: Language) => string) => LANGUAGES.some((locale) => getName(locale) === name);
  const offsetType = OFFSET_TYPES.find((type) => matchesName((locale) => offsetTitle(type, { locale })));
  const [, pounds] = /([\d,]+) lb/.exec(description) ?? [];
  const price = { cost: toDollars(amount), ...recurrence };
  if (offsetType === undefined || pounds === undefined) {
    const title = matchesName((locale) => itemTitle('donation', undefined, { locale })) ? itemTitle('donation') : name;
    return {
      title,
      ...price,
      description: itemDescription({ type: 'donation', carbon: 0 }),
      type: 'donation',
      carbon: 0,
    };
  }
  const carbon = Number(pounds.replaceAll(',', ''));
  const title = offsetTitle(offsetType);
  return {
    title,
    ...price,
    description: itemDescription({ type: 'offset', carbon }),
    type: 'offset',
    offsetType,
    carbon,
  };
}
