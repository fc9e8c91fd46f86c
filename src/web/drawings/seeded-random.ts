const MODULUS = 2_147_483_647;
const MULTIPLIER = 16_807;

/** Pseudorandom numbers from 0 to 1, the same on the server and in every browser. */
export function createSeededRandom(seed: number): () => number {
  let state = Math.abs(Math.trunc(seed)) % MODULUS || 1;
  return () => {
    state = (state * MULTIPLIER) % MODULUS;
    return state / MODULUS;
  };
}

/** A seed from a string, such as the id of a story. */
export function hashToSeed(text: string): number {
  let seed = 9;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % MODULUS;
  return seed;
}
