import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests with third-party files that aren't part of the project: `npm run corpora`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/corpora/**/*.corpora.test.ts'],
    // A hostile file may be slow on purpose but must never hang the program.
    testTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
