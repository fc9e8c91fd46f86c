import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The result of one runner. */
export type Report = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The files of which at least one test ran. */
  readonly files: ReadonlySet<string>;
};

export const NOTHING_RAN: Report = { passed: 0, failed: 0, skipped: 0, files: new Set() };

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.unknown()) })),
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
  };
}

const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(z.object({ file: z.string() })),
});

export async function readPlaywrightReport(file: string): Promise<Report> {
  if (!existsSync(file)) return NOTHING_RAN;
  const { config, stats, suites } = playwrightReport.parse(JSON.parse(await readFile(file, 'utf8')));
  return {
    passed: stats.expected,
    // A test that passes only on a retry is not to be trusted.
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    files: new Set(suites.map((suite) => path.relative('.', path.join(config.rootDir, suite.file)))),
  };
}

/** Test files of which no runner ran a test. `npm run corpora` runs those that need input from outside the repository. */
export async function testFilesNotRun(reports: readonly Report[]): Promise<string[]> {
  const entries = await readdir('test', { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => /\.(?:test|e2e)\.tsx?$/.test(name) && !name.endsWith('.corpora.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return files.filter((file) => !reports.some((report) => report.files.has(file))).sort();
}
