import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildMessages } from './scripts/build/build.ts';
import { groupScratchFolders } from './scripts/scratch-folder.ts';
import { EXCLUDED_FILES } from './scripts/test/test-selection.ts';
import {
  FOLDERS_WITHOUT_DATABASE,
  PICTURE_FOLDERS,
  serverTestGlobs,
  TESTS_WITH_PAGES,
} from './test/support/test-folders.ts';

/**
 * A worker's files share their modules, because loading all modules for every file took as long as the tests. Each file has
 * its own database, closes what it opens, and restores what it replaces.
 */
const SHARED_MODULES = { isolate: false } as const;

/** Node loads the server's modules, as in production. Vite's loader took a tenth of the CPU time. */
const NATIVE_MODULES = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

/** Starts the longest files first, so that all workers finish at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('.full.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

await buildMessages();
// Vitest kills its workers, so their tests can't always delete their scratch folders.
await groupScratchFolders();

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    // A third worker would load all modules once more, which takes longer than the time it saves.
    maxWorkers: 2,
    // Most of a test's objects are short-lived, so a larger nursery means fewer garbage collections.
    execArgv: ['--max-semi-space-size=64'],
    // Generous, so that tests pass on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Longer than any notification takes on a busy machine, and shorter than the polling that makes up for a missed one.
    expect: { poll: { timeout: 30_000 } },
    exclude: [...EXCLUDED_FILES],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...SHARED_MODULES,
          ...NATIVE_MODULES,
          name: 'rules',
          include: [
            'test/*.test.ts',
            'test/!(server|corpora|e2e|support|web)/**/*.test.ts',
            ...serverTestGlobs(FOLDERS_WITHOUT_DATABASE),
          ],
        },
      },
      {
        extends: true,
        test: {
          ...SHARED_MODULES,
          name: 'browser',
          include: ['test/web/**/*.test.ts'],
        },
      },
      {
        extends: true,
        // In their own project, because a worker restarts whenever the environment of its files changes.
        test: { ...SHARED_MODULES, name: 'dom', include: ['test/web/**/*.test.tsx'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          ...SHARED_MODULES,
          ...NATIVE_MODULES,
          name: 'pictures',
          include: serverTestGlobs(PICTURE_FOLDERS),
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
      {
        extends: true,
        test: {
          ...SHARED_MODULES,
          name: 'pages',
          include: serverTestGlobs(TESTS_WITH_PAGES),
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
      {
        extends: true,
        test: {
          ...SHARED_MODULES,
          ...NATIVE_MODULES,
          name: 'calls',
          include: ['test/server/**/*.test.ts'],
          exclude: serverTestGlobs([...FOLDERS_WITHOUT_DATABASE, ...PICTURE_FOLDERS, ...TESTS_WITH_PAGES]),
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
    ],
  },
});
