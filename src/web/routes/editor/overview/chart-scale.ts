/** A part of a column, from one value to another; what went down hangs below zero. */
export type StackedPart<Key extends string> = { readonly key: Key; readonly from: number; readonly to: number };

/** Parts on top of each other: what is above zero upwards from it, what is below downwards. */
export function stacked<Key extends string>(parts: readonly { key: Key; value: number }[]): StackedPart<Key>[] {
  let [up, down] = [0, 0];
  return parts
    .filter(({ value }) => value !== 0)
    .map(({ key, value }) => {
      const from = value > 0 ? up : down;
      if (value > 0) up += value;
      else down += value;
      return { key, from, to: from + value };
    });
}

const STEPS = [1, 2, 5, 10] as const;
const MOST_LINES = 5;

/**
 * Round numbers for the lines of a chart, from the least to the greatest: they hold zero and every value, and no more
 * than some five of them.
 */
export function scaleOf(values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (least === most) return [0, 1];
  const rough = (most - least) / (MOST_LINES - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough * 0.999) ?? 10) * power;
  const first = Math.floor(least / step);
  const count = Math.ceil(most / step) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Every how many columns one has room for its label. */
export function labelEvery(columns: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((columns * labelWidth) / Math.max(1, width)));
}
