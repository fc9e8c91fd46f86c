/** Rounds to 0.1, which keeps the markup short. */
export function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
