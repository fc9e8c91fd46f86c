import { formatWhole } from '#domain/money.ts';
import { typedNumber } from '#web/ui/typed-number.ts';

/** What a field of the calculators takes. */
export type AmountLimits = {
  /** The most it takes: far above any real trip or bill, and low enough that nothing computed from it loses digits. */
  readonly most: number;
  /** What is counted, for people: "miles". */
  readonly unit: string;
  readonly whole?: boolean;
};

/** What a field holds: nothing yet, something to be corrected, or an amount of 0 or more. */
export type TypedAmount =
  | { readonly kind: 'blank' }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'amount'; readonly amount: number };

/** The amount in a field, or the sentence that says why it is none. */
export function typedAmount(text: string, { most, unit, whole = false }: AmountLimits): TypedAmount {
  const typed = typedNumber(text);
  if (typed === 'blank') return { kind: 'blank' };
  if (typed === 'unclear') return problem(`Please write the number of ${unit} in digits, like 3,450.`);
  if (typed < 0) return problem(`The number of ${unit} cannot be below 0.`);
  if (typed > most) return problem(`Please enter at most ${formatWhole(most)} ${unit}.`);
  if (whole && !Number.isInteger(typed)) return problem(`Please enter a whole number of ${unit}.`);
  return { kind: 'amount', amount: typed };
}

function problem(sentence: string): TypedAmount {
  return { kind: 'problem', problem: sentence };
}
