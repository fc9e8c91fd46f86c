/** Rounds to 0.1, which keeps the markup short. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
