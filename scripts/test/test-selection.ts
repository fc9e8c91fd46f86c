/** True for `npm run test:all`, which sets `TEST_ALL=1`. `npm test` excludes the slowest tests. */
export const RUNS_ALL = process.env.TEST_ALL === '1';

/** Globs of test files that this run excludes. `npm run test:all` runs every file. */
export const EXCLUDED_FILES: readonly string[] = RUNS_ALL ? [] : ['**/*.full.{test,e2e}.{ts,tsx}'];

/** Journeys that this run skips, in addition to entire files. */
export const EXCLUDED_JOURNEYS: readonly string[] = RUNS_ALL ? [] : ['--grep-invert=@full'];
