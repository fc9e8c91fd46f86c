/** A part of a column, from one value to another. Negative parts are below zero. */
export type StackedPart<Key extends string> = { readonly key: Key; readonly from: number; readonly to: number };

/** Stacks positive parts up from zero, and negative parts down. */
export function stackParts<Key extends string>(parts: readonly { key: Key; value: number }[]): StackedPart<Key>[] {
  let [positiveTotal, negativeTotal] = [0, 0];
  return parts
    .filter(({ value }) => value !== 0)
    .map(({ key, value }) => {
      const from = value > 0 ? positiveTotal : negativeTotal;
      if (value > 0) positiveTotal += value;
      else negativeTotal += value;
      return { key, from, to: from + value };
    });
}

const STEPS = [1, 2, 5, 10] as const;
const MAX_LINES = 5;

/**
 * Returns about five round numbers for the grid lines, in ascending order. The lowest value may be less than one step
 * below the first number, so that a small refund doesn't add a whole step.
 */
export function getAxisTicks(values: readonly number[]): readonly number[] {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (lowest === highest) return [0, 1];
  const roughStep = (highest - lowest) / (MAX_LINES - 1);
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const step = (STEPS.find((candidate) => candidate * power >= roughStep * 0.999) ?? 10) * power;
  const firstMultiple = Math.ceil(lowest / step);
  const count = Math.ceil(highest / step) - firstMultiple + 1;
  return Array.from({ length: count }, (_, index) => Number(((firstMultiple + index) * step).toPrecision(12)));
}

/** Labels every nth column, so that they do not overlap. @returns n */
export function getLabelInterval(columnCount: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((columnCount * labelWidth) / Math.max(1, width)));
}
