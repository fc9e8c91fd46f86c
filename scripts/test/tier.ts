/** `npm run test:all` sets `TEST_ALL=1`. `npm test` leaves out its longest parts. */
export const RUNS_ALL = process.env.TEST_ALL === '1';

/** Globs of the test files that this run leaves out: `npm run test:all` runs every file. */
export const EXCLUDED_FILES: readonly string[] = RUNS_ALL ? [] : ['**/*.full.{test,e2e}.{ts,tsx}'];

/** Journeys that this run skips, in addition to entire files. */
export const EXCLUDED_JOURNEYS: readonly string[] = RUNS_ALL ? [] : ['--grep-invert=@full'];
