import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { EXCLUDED_FILES } from './test-selection.ts';

/** The result of a test, a static check, or a test file that could not be loaded. */
export type TestResult = {
  /** Empty for a static check. */
  readonly file: string;
  /** Empty for a file that could not be loaded. */
  readonly name: string;
  /** Reported only by Playwright. */
  readonly line?: number;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** First line of the error. */
  readonly message: string;
};

/** Results of one run of Vitest or Playwright. */
export type Report = {
  readonly results: readonly TestResult[];
  /** Errors outside of any test, such as an unhandled rejection. */
  readonly errors: readonly string[];
};

const NO_REPORT: Report = { results: [], errors: [] };

const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      /** Set for a file that could not be loaded. */
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          ancestorTitles: z.array(z.string()),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** @param errorsFile written by `unhandled-errors.ts`, because Vitest's own report omits these errors */
export async function readVitestReport(reportFile: string, errorsFile: string): Promise<Report> {
  if (!existsSync(reportFile)) return NO_REPORT;
  const { testResults } = vitestReportSchema.parse(JSON.parse(await readFile(reportFile, 'utf8')));
  const results = testResults.flatMap(({ name, status, message, assertionResults }): TestResult[] => {
    const file = path.relative('.', name);
    const tests = assertionResults.map((test): TestResult => {
      const [error = ''] = test.failureMessages ?? [];
      return {
        file,
        name: [...test.ancestorTitles, test.title].join(' > '),
        status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        seconds: (test.duration ?? 0) / 1000,
        message: getFirstLine(error),
      };
    });
    const isLoaded = status !== 'failed' || tests.some((test) => test.status === 'failed');
    return isLoaded
      ? tests
      : [...tests, { file, name: '', status: 'failed', seconds: 0, message: getFirstLine(message) }];
  });
  const errors = existsSync(errorsFile) ? (await readFile(errorsFile, 'utf8')).trim().split('\n') : [];
  return { results, errors };
}

type Suite = z.infer<typeof suiteSchema>;
const suiteSchema = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      line: z.number(),
      tests: z.array(
        z.object({
          status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
          results: z.array(
            z.object({ duration: z.number(), error: z.object({ message: z.string() }).partial().optional() }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});

const playwrightReportSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  errors: z.array(z.object({ message: z.string().default('') })),
  suites: z.array(suiteSchema),
});

export async function readPlaywrightReport(reportFile: string): Promise<Report> {
  if (!existsSync(reportFile)) return NO_REPORT;
  const { config, errors, suites } = playwrightReportSchema.parse(JSON.parse(await readFile(reportFile, 'utf8')));
  return {
    // The outermost suite is the file.
    results: suites.flatMap((file) => collectResults(file, config.rootDir, [])),
    errors: errors.map(({ message }) => getFirstLine(message)),
  };
}

function collectResults({ specs, suites = [] }: Suite, rootDir: string, groups: readonly string[]): TestResult[] {
  const specResults = specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ status, results }): TestResult => {
      const message = results.find(({ error }) => error)?.error?.message ?? '';
      return {
        file: path.relative('.', path.join(rootDir, file)),
        name: [...groups, title].join(' › '),
        line,
        status: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
        seconds: results.reduce((total, { duration }) => total + duration, 0) / 1000,
        message: getFirstLine(message),
      };
    }),
  );
  return [...specResults, ...suites.flatMap((inner) => collectResults(inner, rootDir, [...groups, inner.title]))];
}

function getFirstLine(message: string): string {
  return stripVTControlCharacters(message).trim().split('\n')[0] ?? '';
}

/** Display name of a test. */
export function getLabel({ file, name }: TestResult): string {
  return [file, name].filter(Boolean).join(' › ');
}

/**
 * Replaces failures with the results of a second run. A file that could not be loaded is replaced by its tests.
 *
 * @returns each test once, and the labels of the tests and files that passed the second time
 */
export function mergeRetry(
  firstResults: readonly TestResult[],
  retryResults: readonly TestResult[],
): { results: TestResult[]; flaky: string[] } {
  const flaky: string[] = [];
  const retriedFiles = new Set(retryResults.map(({ file }) => file));
  const reloadedFiles = firstResults
    .filter(({ file, name }) => name === '' && retriedFiles.has(file))
    .map(({ file }) => file);
  for (const file of reloadedFiles) {
    if (!retryResults.some((result) => result.file === file && result.status === 'failed')) flaky.push(file);
  }
  const results = firstResults
    .filter(({ file }) => !reloadedFiles.includes(file))
    .map((result) => {
      if (result.status !== 'failed') return result;
      const label = getLabel(result);
      const retries = retryResults.filter((other) => getLabel(other) === label);
      if (retries.length === 0 || retries.some(({ status }) => status !== 'passed')) return result;
      flaky.push(label);
      return { ...result, status: 'passed' as const };
    });
  return { results: [...results, ...retryResults.filter(({ file }) => reloadedFiles.includes(file))], flaky };
}

/** Seconds of each test file, slowest first. */
export function sumSecondsByFile(results: readonly TestResult[]): [file: string, seconds: number][] {
  const seconds = new Map<string, number>();
  for (const result of results) {
    if (result.file) seconds.set(result.file, (seconds.get(result.file) ?? 0) + result.seconds);
  }
  return [...seconds].sort(([, a], [, b]) => b - a);
}

/**
 * Test files without a result, except those that this run excludes. `npm run corpora` runs tests that require input from
 * outside the repository.
 */
export async function findMissedTestFiles(results: readonly TestResult[]): Promise<string[]> {
  const filesRun = new Set(results.map(({ file }) => file));
  const entries = await readdir('test', { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => /\.(?:test|e2e)\.tsx?$/.test(name) && !name.endsWith('.corpora.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !EXCLUDED_FILES.some((glob) => path.matchesGlob(file, glob)) && !filesRun.has(file))
    .sort();
}
