import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { buildAll, buildMessages } from './build/build.ts';
import { ensureBrowser } from './test/browser.ts';
import { type Check, FORMAT, LINT_WITH_TYPES, runChecks, TYPES, UNUSED } from './test/checks.ts';
import {
  findMissedTestFiles,
  getLabel,
  mergeRetry,
  type Report,
  sumSecondsByFile,
  type TestResult,
} from './test/reports.ts';
import { REPORTS, retryPlaywright, retryVitest, runPlaywright, runVitest } from './test/runners.ts';
import { RUNS_ALL } from './test/test-selection.ts';

/**
 * `npm test`: builds, runs every check and every test, and prints how many passed and failed. `npm run test:all` also runs
 * the longest tests.
 */

/** More failures than this probably share a cause, so running them again is pointless. */
const MAX_FAILURES_TO_RETRY = 10;
const SLOWEST_FILES = 10;
const SLOW_SECONDS = 15;

const cpuTimeByPhase: string[] = [];

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
// Type checks need the messages.
await buildMessages();
// Runs alongside the build and the journeys, which leave CPU time unused, and the first tests.
const checksPromise = runChecks([TYPES, LINT_WITH_TYPES, FORMAT, UNUSED]);
await runPhase('build', async () => {
  await buildAll();
  const browser = await ensureBrowser();
  if (browser) process.env.CHROME_PATH = browser;
});
const playwright = await runPhase('end-to-end tests', () => runPlaywright('playwright'));
const vitest = await runPhase('unit and API tests', () => runVitest('vitest'));
const checks = await checksPromise;
const { results: tests, errors, flaky } = await runPhase('retries', () => retryFailures(vitest, playwright));
const results = [...checks, ...tests, ...(RUNS_ALL ? await runPhase('long checks', runLongChecks) : [])];

await printSlowFiles(tests);
console.log(`\nCPU seconds: ${Math.round(await readCpuSeconds())} (${cpuTimeByPhase.join(', ')})`);
const failures = [
  ...results.filter(({ status }) => status === 'failed').map((result) => `${getLabel(result)}: ${result.message}`),
  ...errors,
  ...(await findMissedTestFiles(tests)).map((file) => `${file}: no tests in this file ran`),
];
console.log();
for (const failure of failures) console.error(`Failed: ${failure}`);
for (const label of flaky) console.log(`Flaky: ${label}`);
const count = (status: TestResult['status']) => results.filter((result) => result.status === status).length;
const skipped = count('skipped');
console.log(`${count('passed')} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Prints the name of a phase and records its CPU time. */
async function runPhase<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  console.log(`\n— ${name}`);
  const secondsBefore = await readCpuSeconds();
  const result = await run();
  cpuTimeByPhase.push(`${name} ${Math.round((await readCpuSeconds()) - secondsBefore)}`);
  return result;
}

/** CPU time of this process and its exited children, in seconds; 0 except on Linux. */
async function readCpuSeconds(): Promise<number> {
  if (!existsSync('/proc/self/stat')) return 0;
  const [, fields = ''] = (await readFile('/proc/self/stat', 'utf8')).split(') ');
  // User and system time, of the process and of its children, in hundredths of a second: proc(5).
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, value) => sum + value, 0) / 100;
}

/** Runs failed tests again. A test that passes the second time is reported as flaky but doesn't fail the run. */
async function retryFailures(vitest: Report, playwright: Report): Promise<Report & { readonly flaky: string[] }> {
  const results = [...vitest.results, ...playwright.results];
  const errors = [...vitest.errors, ...playwright.errors];
  const selectFailed = ({ results }: Report) => results.filter(({ status }) => status === 'failed');
  const [tests, journeys] = [selectFailed(vitest), selectFailed(playwright)];
  const failures = tests.length + journeys.length;
  if (failures === 0 || failures > MAX_FAILURES_TO_RETRY) return { results, errors, flaky: [] };

  const retries: Report[] = [];
  for (const file of new Set(tests.map((test) => test.file))) {
    retries.push(await retryVitest(tests, file, `vitest-retry-${retries.length + 1}`));
  }
  if (journeys.length > 0) retries.push(await retryPlaywright(journeys, 'playwright-retry'));
  const retryResults = retries.flatMap((report) => report.results);
  return { ...mergeRetry(results, retryResults), errors: [...errors, ...retries.flatMap((report) => report.errors)] };
}

async function runLongChecks(): Promise<TestResult[]> {
  const crashTest: Check = ['crash test', process.execPath, 'scripts/crash-test.ts', '--rounds', '6', '--every', '6'];
  const corpora: Check = ['hostile corpora', 'vitest', 'run', '--config', 'test/corpora/vitest.config.ts'];
  // Run concurrently, since both spend much of their time waiting: for restarts, and for browsers.
  if (process.env.CORPORA_DIR) return (await Promise.all([runChecks([crashTest]), runChecks([corpora])])).flat();
  console.log('Skipped hostile corpora: CORPORA_DIR is not set');
  return [
    ...(await runChecks([crashTest])),
    { file: '', name: corpora[0], status: 'skipped', seconds: 0, message: '' },
  ];
}

/** Prints the slowest files. Only `npm test` has a limit: tests that run only in `npm run test:all` may take minutes. */
async function printSlowFiles(tests: readonly TestResult[]): Promise<void> {
  const limit = RUNS_ALL ? Number.POSITIVE_INFINITY : SLOW_SECONDS;
  console.log(
    `\nSlowest test files, in seconds${RUNS_ALL ? '' : ` (over ${limit} is a defect unless a comment says why)`}:`,
  );
  for (const [index, [file, seconds]] of sumSecondsByFile(tests).entries()) {
    const isSlow = seconds > limit;
    if (index >= SLOWEST_FILES && !isSlow) break;
    const [reason] = /\bSlow because [^\n]*/.exec(await readFile(file, 'utf8')) ?? ['DEFECT: no “Slow because”'];
    console.log(`${seconds.toFixed(1).padStart(7)} ${file}${isSlow ? ` – ${reason}` : ''}`);
  }
}
