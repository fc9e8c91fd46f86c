import { RUNS_ALL } from '#scripts/test/tier.ts';

/** The number of seeds, requests, or property runs: `quick` in `npm test`, `full` in `npm run test:all`. */
export function runs(quick: number, full: number): number {
  return RUNS_ALL ? full : quick;
}
