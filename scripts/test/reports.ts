import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { EXCLUDED_FILES } from './tier.ts';

/** The result of one runner. */
export type Report = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The files of which at least one test ran. */
  readonly files: ReadonlySet<string>;
  /** Each failed test, in a line. The output of the runners is long, and only its end may be kept. */
  readonly failures: readonly string[];
};

export const NOTHING_RAN: Report = { passed: 0, failed: 0, skipped: 0, files: new Set(), failures: [] };

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      /** Of a file that could not be run. */
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

export async function readVitestReport(file: string): Promise<Report> {
  if (!existsSync(file)) return NOTHING_RAN;
  const report = vitestReport.parse(JSON.parse(await readFile(file, 'utf8')));
  const ran = report.testResults.filter(({ assertionResults }) => assertionResults.length > 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    files: new Set(ran.map(({ name }) => path.relative('.', name))),
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      const file = path.relative('.', name);
      if (failed.length === 0 && status === 'failed') return [failureLine([file], message)];
      return failed.map((test) => failureLine([file, test.fullName], test.failureMessages?.[0]));
    }),
  };
}

/** @param message of which the first line is shown */
function failureLine(names: readonly string[], message = ''): string {
  const [firstLine = ''] = stripVTControlCharacters(message).trim().split('\n');
  return `${names.join(' › ')}: ${firstLine}`;
}

type Suite = z.infer<typeof suite>;
const suite = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      ok: z.boolean(),
      tests: z.array(
        z.object({ results: z.array(z.object({ error: z.object({ message: z.string() }).partial().optional() })) }),
      ),
    }),
  ),
  get suites() {
    return z.array(suite).optional();
  },
});

function failuresIn({ title, specs, suites = [] }: Suite, outer: readonly string[]): string[] {
  const names = [...outer, title];
  const failed = specs.filter(({ ok }) => !ok);
  const lines = failed.map(({ title: test, tests }) => {
    const results = tests.flatMap(({ results: tries }) => tries);
    return failureLine([...names, test], results.find(({ error }) => error)?.error?.message);
  });
  return [...lines, ...suites.flatMap((inner) => failuresIn(inner, names))];
}

const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(z.object({ file: z.string() }).and(suite)),
});

export async function readPlaywrightReport(file: string): Promise<Report> {
  if (!existsSync(file)) return NOTHING_RAN;
  const { config, stats, suites } = playwrightReport.parse(JSON.parse(await readFile(file, 'utf8')));
  return {
    passed: stats.expected,
    // A test that passes only on a retry is not to be trusted.
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    files: new Set(suites.map(({ file: ran }) => path.relative('.', path.join(config.rootDir, ran)))),
    failures: suites.flatMap((ran) => failuresIn(ran, [])),
  };
}

/**
 * Test files of which no runner ran a test, except those that this run leaves out on purpose. `npm run corpora` runs
 * those that need input from outside the repository.
 */
export async function testFilesNotRun(reports: readonly Report[]): Promise<string[]> {
  const entries = await readdir('test', { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => /\.(?:test|e2e)\.tsx?$/.test(name) && !name.endsWith('.corpora.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !EXCLUDED_FILES.some((glob) => path.matchesGlob(file, glob)));
  return files.filter((file) => !reports.some((report) => report.files.has(file))).sort();
}
