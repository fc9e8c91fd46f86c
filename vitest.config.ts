import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders of test/server whose tests need no database: a second engine would only prove the same again. */
const WITHOUT_DATABASE = ['cities', 'config', 'http', 'payments', 'sandbox'];
/** And one that draws: what opens people's photos safely keeps its whole process from opening a drawing. */
const DRAWING = ['pictures'];
/** And those about the embedded engine itself: its lock, its files, a kill. What is in none of the lists runs on both. */
const EMBEDDED_ALONE = ['embedded'];
/** Who may do what is asked of the one permission table, and mails are worded, whatever the engine; both take their time. */
const POSTGRES_ALONE = ['permissions', 'sessions/spoofed-hosts'];

/**
 * The files of a worker share the modules that they import: to load all of them for each file anew took as long as the
 * tests themselves. Each has a database of its own all the same, closes what it opened, and puts back what it replaced.
 */
const SHARED = { isolate: false } as const;

/** Of a folder of test/server, or of one file in it. */
const inServer = (places: readonly string[]) => places.map((place) => `test/server/${place}{/**/*,}.test.ts`);

/** The unit tests run once; what the server does with its store runs on each of the two engines. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    maxWorkers: 2,
    // A machine that is busy with something else is slow, not wrong.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          ...SHARED,
          name: 'unit',
          include: [
            'test/*.test.ts',
            'test/!(server|corpora|e2e|support)/**/*.test.{ts,tsx}',
            ...inServer(WITHOUT_DATABASE),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'drawing',
          include: inServer(DRAWING),
        },
      },
      {
        extends: true,
        test: {
          ...SHARED,
          name: 'api-embedded',
          include: ['test/server/**/*.test.ts'],
          exclude: inServer([...WITHOUT_DATABASE, ...DRAWING, ...POSTGRES_ALONE]),
          env: { TEST_ENGINE: 'embedded' },
          globalSetup: 'test/support/embedded-template.ts',
        },
      },
      {
        extends: true,
        test: {
          ...SHARED,
          name: 'api-postgres',
          include: ['test/server/**/*.test.ts'],
          exclude: inServer([...WITHOUT_DATABASE, ...DRAWING, ...EMBEDDED_ALONE]),
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
    ],
  },
});
