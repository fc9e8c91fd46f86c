import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import {
  findMissedTestFiles,
  getLabel,
  mergeRetry,
  readPlaywrightReport,
  readVitestReport,
  sumSecondsByFile,
  type TestResult,
} from '#scripts/test/reports.ts';

const folder = await createScratchFolder('reports');
afterAll(() => rm(folder, { recursive: true, force: true }));
const missingFile = path.join(folder, 'missing');

async function writeReport(name: string, content: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

const result = (file: string, name: string, status: TestResult['status'], seconds = 0): TestResult => ({
  file,
  name,
  status,
  seconds,
  message: status === 'failed' ? 'Error: no' : '',
});

test('parses Vitest results, including files that failed to load and errors outside tests', async () => {
  const testEntry = (title: string, status: string, rest: object = {}) => ({
    title,
    ancestorTitles: [],
    status,
    ...rest,
  });
  const report = {
    testResults: [
      {
        name: path.resolve('test/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          testEntry('adds up', 'passed', { ancestorTitles: ['a sum'], duration: 1500, failureMessages: [] }),
          testEntry('is exact', 'failed', { failureMessages: ['\x1b[31mError: 1 is not 2\x1b[39m\n at x'] }),
          testEntry('is skipped', 'pending'),
          testEntry('is planned', 'todo'),
        ],
      },
      {
        name: path.resolve('test/b.test.ts'),
        status: 'failed',
        message: 'beforeAll failed\nat y',
        assertionResults: [testEntry('is not reached', 'skipped')],
      },
      { name: path.resolve('test/c.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  };
  const reportFile = await writeReport('vitest.json', JSON.stringify(report));
  const errorsFile = await writeReport('errors.txt', 'Error: unhandled rejection\nError: closed');
  expect(await readVitestReport(reportFile, errorsFile)).toEqual({
    results: [
      { file: 'test/a.test.ts', name: 'a sum > adds up', status: 'passed', seconds: 1.5, message: '' },
      { file: 'test/a.test.ts', name: 'is exact', status: 'failed', seconds: 0, message: 'Error: 1 is not 2' },
      result('test/a.test.ts', 'is skipped', 'skipped'),
      result('test/a.test.ts', 'is planned', 'skipped'),
      result('test/b.test.ts', 'is not reached', 'skipped'),
      { file: 'test/b.test.ts', name: '', status: 'failed', seconds: 0, message: 'beforeAll failed' },
      { file: 'test/c.test.ts', name: '', status: 'failed', seconds: 0, message: 'no such module' },
    ],
    errors: ['Error: unhandled rejection', 'Error: closed'],
  });
  expect((await readVitestReport(reportFile, missingFile)).errors).toEqual([]);
});

test('parses Playwright results by group and line, including global errors', async () => {
  const spec = (title: string, line: number, status: string, ...messages: readonly string[]) => {
    const results = [...messages.map((message) => ({ duration: 500, error: { message } })), { duration: 1000 }];
    return { title, line, file: 'a.e2e.ts', tests: [{ status, results }] };
  };
  const report = {
    config: { rootDir: path.resolve('test/e2e') },
    errors: [{ message: 'Error: the server did not stop\n at x' }],
    suites: [
      {
        title: 'a.e2e.ts',
        specs: [spec('a gift', 3, 'expected'), spec('a check', 9, 'unexpected', 'Error: no heading\nat z')],
        suites: [
          {
            title: 'on a phone',
            specs: [spec('a refund', 20, 'flaky', 'Timeout'), spec('a drive', 30, 'skipped')],
          },
        ],
      },
    ],
  };
  const file = 'test/e2e/a.e2e.ts';
  expect(await readPlaywrightReport(await writeReport('playwright.json', JSON.stringify(report)))).toEqual({
    results: [
      { ...result(file, 'a gift', 'passed', 1), line: 3 },
      { ...result(file, 'a check', 'failed', 1.5), line: 9, message: 'Error: no heading' },
      { ...result(file, 'on a phone › a refund', 'failed', 1.5), line: 20, message: 'Timeout' },
      { ...result(file, 'on a phone › a drive', 'skipped', 1), line: 30 },
    ],
    errors: ['Error: the server did not stop'],
  });
});

test('a runner without a report has no results', async () => {
  const empty = { results: [], errors: [] };
  expect([await readVitestReport(missingFile, missingFile), await readPlaywrightReport(missingFile)]).toEqual([
    empty,
    empty,
  ]);
});

test('a test that passes when repeated is flaky and counts once', () => {
  const firstRun = [
    result('a', 'sums', 'passed'),
    result('a', 'races', 'failed'),
    result('a', 'is wrong', 'failed'),
    result('a', 'is not repeated', 'failed'),
    result('b', 'races', 'failed'),
  ];
  const retry = [
    result('a', 'sums', 'skipped'),
    result('a', 'races', 'passed'),
    result('a', 'is wrong', 'failed'),
    result('b', 'races', 'skipped'),
  ];
  const { results, flaky } = mergeRetry(firstRun, retry);
  expect(results.map((entry) => [getLabel(entry), entry.status])).toEqual([
    ['a › sums', 'passed'],
    ['a › races', 'passed'],
    ['a › is wrong', 'failed'],
    ['a › is not repeated', 'failed'],
    ['b › races', 'failed'],
  ]);
  expect(flaky).toEqual(['a › races']);
});

test('two tests with the same name must both pass when repeated', () => {
  const firstRun = [result('a', 'races', 'failed'), result('a', 'races', 'passed')];
  const retry = [result('a', 'races', 'passed'), result('a', 'races', 'failed')];
  expect(mergeRetry(firstRun, retry)).toEqual({ results: firstRun, flaky: [] });
});

test('when a file loads on retry, its tests replace its failure', () => {
  const first = [result('a', 'sums', 'skipped'), result('a', '', 'failed'), result('b', 'adds', 'passed')];
  const results = [result('a', 'sums', 'passed'), result('a', 'counts', 'skipped')];
  expect(mergeRetry(first, results)).toEqual({ results: [result('b', 'adds', 'passed'), ...results], flaky: ['a'] });
  const firstRun = [result('a', 'sums', 'failed'), result('a', 'counts', 'passed')];
  expect(mergeRetry(first, firstRun)).toEqual({ results: [result('b', 'adds', 'passed'), ...firstRun], flaky: [] });
  // The second run crashed.
  expect(mergeRetry(first, [])).toEqual({ results: first, flaky: [] });
});

test('lists the slowest files first, without static checks', () => {
  const results = [
    result('', 'types', 'passed', 9),
    result('a', 'x', 'passed', 1),
    result('b', 'x', 'failed', 2),
    result('a', 'y', 'passed', 3),
  ];
  expect(sumSecondsByFile(results)).toEqual([
    ['a', 4],
    ['b', 2],
  ]);
});

test('names each test file that didn’t run', async () => {
  const filesNotRun = await findMissedTestFiles([]);
  expect(filesNotRun).toContain('test/scripts/reports.test.ts');
  expect(filesNotRun).toContain('test/e2e/giving.e2e.ts');
  expect(filesNotRun.filter((file) => file.includes('corpora'))).toEqual([]);
  const executedTest = result('test/scripts/reports.test.ts', 'x', 'skipped');
  expect(await findMissedTestFiles([executedTest])).toEqual(filesNotRun.filter((file) => file !== executedTest.file));
});
