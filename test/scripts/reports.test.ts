import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { NOTHING_RAN, readPlaywrightReport, readVitestReport } from '#scripts/test/reports.ts';

const folder = await scratchFolder('reports');
afterAll(() => rm(folder, { recursive: true, force: true }));

async function reportOf(content: object): Promise<string> {
  const file = path.join(folder, 'report.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

test('failed rules and calls are named in a line each, and so is a file that could not be run', async () => {
  const name = (file: string) => path.resolve(file);
  const file = await reportOf({
    ...{ numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 },
    testResults: [
      {
        name: name('test/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'a sum adds up', status: 'passed', failureMessages: [] },
          { fullName: 'is exact', status: 'failed', failureMessages: ['\x1b[31mError: 1 is not 2\x1b[39m\n at x'] },
          { fullName: 'is skipped', status: 'skipped' },
        ],
      },
      { name: name('test/b.test.ts'), status: 'failed', message: 'no such module\nat y', assertionResults: [] },
    ],
  });
  expect(await readVitestReport(file)).toEqual({
    ...{ passed: 1, failed: 1, skipped: 2, files: new Set(['test/a.test.ts']) },
    failures: ['test/a.test.ts › is exact: Error: 1 is not 2', 'test/b.test.ts: no such module'],
  });
});

test('failed journeys are named, in groups too, and one that passed only when repeated', async () => {
  const spec = (title: string, ok: boolean, ...messages: readonly string[]) => ({
    ...{ title, ok },
    tests: [{ results: [...messages.map((message) => ({ error: { message } })), {}] }],
  });
  const file = await reportOf({
    config: { rootDir: path.resolve('test/e2e') },
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [
      {
        ...{ title: 'a.e2e.ts', file: 'a.e2e.ts' },
        specs: [spec('a gift', true), spec('a check', false, 'Error: no heading\nat z')],
        suites: [{ title: 'on a phone', specs: [spec('a refund', false, 'Timeout')] }],
      },
    ],
  });
  expect(await readPlaywrightReport(file)).toEqual({
    ...{ passed: 1, failed: 2, skipped: 0, files: new Set(['test/e2e/a.e2e.ts']) },
    failures: ['a.e2e.ts › a check: Error: no heading', 'a.e2e.ts › on a phone › a refund: Timeout'],
  });
});

test('a runner that left no report ran nothing', async () => {
  const missing = path.join(folder, 'missing.json');
  expect([await readVitestReport(missing), await readPlaywrightReport(missing)]).toEqual([NOTHING_RAN, NOTHING_RAN]);
});
