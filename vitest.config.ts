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
 * Loading all modules again for every file took as long as the tests themselves, so the files of a worker share them.
 * Each file has its own database, closes what it opens and restores what it replaces.
 */
const SHARED_MODULES = { isolate: false } as const;

/** Node loads the modules of the server itself, as in production. Vite took a tenth of the processor time. */
const NATIVE_MODULES = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

/** Files with another environment in the same project would restart workers again and again. */
const DOM_TESTS = 'test/web/dom/**/*.test.{ts,tsx}';

/** Starts the longest files first, so that no worker is busy after the others are done. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('.full.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

await buildMessages();
// Vitest kills its workers: what their tests leave behind would stay in the memory of the machine.
await groupScratchFolders();

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    // A third worker would load all modules once more, which costs more than the time others spend waiting for the database.
    maxWorkers: 2,
    // Fewer garbage collections: most objects of a test live briefly.
    execArgv: ['--max-semi-space-size=64'],
    // Generous, so that a busy machine is slow but not wrong.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What comes by itself comes soon, also on a busy machine; what was missed comes a minute later, which is a failure.
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
          include: ['test/web/**/*.test.{ts,tsx}'],
          exclude: [DOM_TESTS, ...EXCLUDED_FILES],
        },
      },
      {
        extends: true,
        test: { ...SHARED_MODULES, name: 'dom', include: [DOM_TESTS], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
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
