import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Trials against files that nobody here wrote, and that are no part of the project: `npm run corpora`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/corpora/**/*.corpora.test.ts'],
    // A hostile file may be slow on purpose, but must never hang.
    testTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
