/** Compares the answer times of known and unknown addresses, in milliseconds. */
export type Comparison = {
  readonly medians: { readonly knownA: number; readonly knownB: number; readonly unknown: number };
  /** Between the two sets of known addresses: the noise. */
  readonly noise: number;
  /** Between unknown addresses and all known ones. */
  readonly difference: number;
  /** The most that `difference` may be. */
  readonly allowed: number;
  readonly alike: boolean;
};

/** How many pairs of sets are drawn to estimate the noise. */
const DRAWS = 4000;
/** One false alarm in a thousand. */
const CONFIDENCE = 0.999;

/**
 * Whether the median times of known and unknown addresses are alike: no further apart than 99.9 % of the pairs of sets
 * drawn at random from the known times, or than the two measured known sets.
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
  const noise = Math.abs(medians.knownA - medians.knownB);
  const difference = Math.abs(medians.unknown - median(known));
  const allowed = Math.max(noise, differenceByChance(known, unknown.length, random));
  return { medians, noise, difference, allowed, alike: difference <= allowed };
}

function differenceByChance(times: readonly number[], size: number, random: () => number): number {
  const draw = () => median(Array.from({ length: size }, () => times[Math.floor(random() * times.length)] ?? 0));
  const differences = Array.from({ length: DRAWS }, () => Math.abs(draw() - draw())).sort((a, b) => a - b);
  return differences[Math.floor(DRAWS * CONFIDENCE)] ?? 0;
}

export function median(times: readonly number[]): number {
  // Ten times faster than sorting an array with a comparison.
  const sorted = new Float64Array(times).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
