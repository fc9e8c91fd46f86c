/** Random numbers that are the same on every run and machine. */
export type Random = {
  /** At least 0 and less than 1. */
  next(): number;
  between(low: number, high: number): number;
  /** An integer, both ends included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
};

export function createSeededRandom(seed: string): Random {
  const next = createGenerator(hash(seed));
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick(choices) {
      const choice = choices[Math.floor(next() * choices.length)];
      if (choice === undefined) throw new RangeError('Nothing to pick from');
      return choice;
    },
  };
}

/** FNV-1a, which maps similar seeds to very different numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** Mulberry32 */
function createGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
