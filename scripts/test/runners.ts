import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Report, readPlaywrightReport, readVitestReport, type TestResult } from './reports.ts';
import { EXCLUDED_JOURNEYS } from './test-selection.ts';

export const REPORTS = 'build/test-reports';
const VITEST = 'node_modules/vitest/vitest.mjs';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
/** Compiled code from earlier processes, such as the server of the journeys. Reusing it halves the load time. */
const COMPILE_CACHE = 'build/test-compiled';

/** @param report file name of its report, without the extension */
export async function runVitest(report: string, ...args: readonly string[]): Promise<Report> {
  const [reportFile, errorsFile] = [`${REPORTS}/${report}.json`, path.resolve(REPORTS, `${report}-unhandled.txt`)];
  const reporters = ['default', 'json', './scripts/test/unhandled-errors.ts'].map((name) => `--reporter=${name}`);
  const status = await run([VITEST, 'run', ...reporters, `--outputFile.json=${reportFile}`, ...args], {
    UNHANDLED_ERRORS: errorsFile,
  });
  return addStatusError('Vitest', status, await readVitestReport(reportFile, errorsFile));
}

/** @param report file name of its report, without the extension */
export async function runPlaywright(report: string, ...args: readonly string[]): Promise<Report> {
  const reportFile = path.resolve(REPORTS, `${report}.json`);
  const status = await run([PLAYWRIGHT, 'test', ...EXCLUDED_JOURNEYS, ...args], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile,
  });
  return addStatusError('Playwright', status, await readPlaywrightReport(reportFile));
}

/** Runs one test file of Vitest again, but only its failed tests unless the file itself could not be loaded. */
export function retryVitest(failedTests: readonly TestResult[], file: string, report: string): Promise<Report> {
  const names = failedTests.filter((result) => result.file === file).map(({ name }) => name);
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const nameFilter = names.includes('') ? [] : [`--testNamePattern=^(?:${pattern})$`];
  return runVitest(report, file, '--maxWorkers=1', ...nameFilter);
}

/** Runs failed journeys again, one at a time. Keeps the screenshots of the first run. */
export function retryPlaywright(failedTests: readonly TestResult[], report: string): Promise<Report> {
  const locations = failedTests.map(({ file, line }) => `${file}:${line}`);
  return runPlaywright(report, ...locations, '--workers=1', '--output=build/test-results-of-retry');
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...env },
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return status;
}

/** Adds an error if a runner failed without a failed test, for example because it crashed. */
function addStatusError(runner: string, status: number | null, report: Report): Report {
  const isExplained = report.errors.length > 0 || report.results.some((result) => result.status === 'failed');
  return status === 0 || isExplained
    ? report
    : { ...report, errors: [`${runner} ended with status ${status ?? 'none'}`] };
}
