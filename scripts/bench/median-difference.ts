/** How two kinds of addresses compare by the time that an answer takes, in milliseconds. */
export type Comparison = {
  readonly medians: { readonly knownA: number; readonly knownB: number; readonly unknown: number };
  /** Between the two sets of known addresses: what is seen where there is nothing to see. */
  readonly knownKnown: number;
  /** Between unknown addresses and all known ones. */
  readonly knownUnknown: number;
  /** What the latter may be. */
  readonly allowed: number;
  readonly alike: boolean;
};

/** How often two sets of known addresses are drawn in order to learn how much such sets differ by chance. */
const DRAWS = 4000;
/** Of those draws so many must differ less than what is allowed: one false alarm in a thousand. */
const CONFIDENCE = 0.999;

/**
 * Whether unknown addresses can be told from known ones by their median time. Two sets of known addresses are drawn
 * again and again from all times of known ones; unknown ones are alike while their median is no further from the known
 * ones' than 99.9 % of such sets are from each other, or than the two measured sets of known ones are.
 * @param random numbers from 0 up to 1
 */
export function compare(
  knownA: readonly number[],
  knownB: readonly number[],
  unknown: readonly number[],
  random: () => number = Math.random,
): Comparison {
  const known = [...knownA, ...knownB];
  const medians = { knownA: median(knownA), knownB: median(knownB), unknown: median(unknown) };
  const knownKnown = Math.abs(medians.knownA - medians.knownB);
  const knownUnknown = Math.abs(medians.unknown - median(known));
  const allowed = Math.max(knownKnown, differenceByChance(known, unknown.length, random));
  return { medians, knownKnown, knownUnknown, allowed, alike: knownUnknown <= allowed };
}

function differenceByChance(times: readonly number[], size: number, random: () => number): number {
  const draw = () => median(Array.from({ length: size }, () => times[Math.floor(random() * times.length)] ?? 0));
  const differences = Array.from({ length: DRAWS }, () => Math.abs(draw() - draw())).sort((a, b) => a - b);
  return differences[Math.floor(DRAWS * CONFIDENCE)] ?? 0;
}

export function median(times: readonly number[]): number {
  // Sorts numbers as numbers, in a tenth of the time that a list takes by a comparison.
  const sorted = new Float64Array(times).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
