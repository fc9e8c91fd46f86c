import { cartItem } from '#contract/schemas/checkouts.ts';
import { type CoveredFee, isCardFeeLine } from '#domain/card-fee.ts';
import { type CartItem, itemDescription, itemTitle } from '#domain/cart.ts';
import { OFFSET_TYPES, offsetTitle } from '#domain/emissions.ts';
import { dollarsOf } from '#domain/money.ts';
import { LANGUAGES, type Language } from '#messages';
import type { PaymentLine } from '#server/gateways/payments/payments.ts';

/** Titles and descriptions are made again from the rest. */
const keptItems = cartItem.omit({ title: true, description: true }).array().min(1);

/** A cart as text for the provider to keep, so that `npm run recover` can rebuild the checkout. */
export function keptCart(cart: readonly CartItem[]): string {
  return JSON.stringify(cart.map(({ title: _title, description: _description, ...item }) => item));
}

/** @returns undefined for a text of another version */
export function cartOfKept(text: string): CartItem[] | undefined {
  try {
    const items = keptItems.parse(JSON.parse(text));
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
 * The cart of a payment page that kept none: what was paid is exact, carbon only to the pound, and unknown where the page
 * merged items into one line.
 */
export function cartOfLines(lines: readonly PaymentLine[]): CartItem[] {
  return lines.filter((line) => !isCardFeeLine(line)).map(itemOfLine);
}

/** The card fee that its lines cover. */
export function coveredFeeOfLines(lines: readonly PaymentLine[]): CoveredFee {
  const fees = lines.filter(isCardFeeLine);
  const sum = (of: readonly PaymentLine[]) => of.reduce((total, { amount }) => total + amount, 0);
  return { first: sum(fees), renewal: sum(fees.filter(({ recurring }) => recurring)) };
}

function itemOfLine({ name, description, amount, recurring }: PaymentLine): CartItem {
  const recurrence = recurring
    ? { recurring: recurring.unit, recurringInterval: recurring.count }
    : { recurring: 'no' as const };
  const isNamed = (nameIn: (locale: Language) => string) => LANGUAGES.some((locale) => nameIn(locale) === name);
  const offsetType = OFFSET_TYPES.find((type) => isNamed((locale) => offsetTitle(type, { locale })));
  const [, pounds] = /([\d,]+) lb/.exec(description) ?? [];
  const paid = { cost: dollarsOf(amount), ...recurrence };
  if (offsetType === undefined || pounds === undefined) {
    const title = isNamed((locale) => itemTitle('donation', undefined, { locale })) ? itemTitle('donation') : name;
    return {
      title,
      ...paid,
      description: itemDescription({ type: 'donation', carbon: 0 }),
      type: 'donation',
      carbon: 0,
    };
  }
  const carbon = Number(pounds.replaceAll(',', ''));
  const title = offsetTitle(offsetType);
  return {
    title,
    ...paid,
    description: itemDescription({ type: 'offset', carbon }),
    type: 'offset',
    offsetType,
    carbon,
  };
}
