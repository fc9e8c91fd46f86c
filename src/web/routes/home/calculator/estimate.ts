import { type CartItem, MAXIMUM_CHECKOUT, type OffsetType, offsetItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { chargeOf, formatCents } from '#domain/money.ts';
import type { TypedAmount } from './typed-amount.ts';

/** What a calculator makes of what stands in its fields. */
export type Estimate<Field extends string = never> = {
  /** The item for the cart, once the fields are valid. */
  readonly item: CartItem | undefined;
  /** What to correct in a field, said beside it. */
  readonly problems: Readonly<Partial<Record<Field, string>>>;
  /** What is wrong with the whole, and no field's fault. */
  readonly problem: string | undefined;
};

export const NOTHING_TO_OFFSET = 'There is nothing to offset: this comes to 0 lbs of carbon.';

export function waiting<Field extends string>(problems: Estimate<Field>['problems']): Estimate<Field> {
  return { item: undefined, problems, problem: undefined };
}

/** The estimate for pounds of carbon, which may turn out to be nothing, or more than one checkout can take. */
export function estimateOf(offsetType: OffsetType, carbon: number): Estimate {
  if (carbon === 0) return { item: undefined, problems: {}, problem: NOTHING_TO_OFFSET };
  const item = offsetItem(offsetType, carbon);
  if (chargeOf(item.cost) <= MAXIMUM_CHECKOUT) return { item, problems: {}, problem: undefined };
  const { message } = new Failure('cart-above-maximum', { most: formatCents(MAXIMUM_CHECKOUT) });
  return { item: undefined, problems: {}, problem: message };
}

/** The sentences of those fields that have one. */
export function problemsOf<Field extends string>(
  fields: Readonly<Record<Field, TypedAmount>>,
): Estimate<Field>['problems'] {
  const problems: Partial<Record<Field, string>> = {};
  for (const name in fields) {
    const field = fields[name];
    if (field.kind === 'problem') problems[name] = field.problem;
  }
  return problems;
}
