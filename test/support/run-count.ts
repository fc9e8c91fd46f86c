import { RUNS_ALL } from '#scripts/test/test-selection.ts';

/** The number of seeds, requests, or property runs: `quick` in `npm test`, `full` in `npm run test:all`. */
export function pickRunCount(quick: number, full: number): number {
  return RUNS_ALL ? full : quick;
}
