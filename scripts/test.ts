import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { buildAll, buildMessages } from './build/build.ts';
import { ensureBrowser } from './test/browser.ts';
import { runChecks, STATIC_CHECKS } from './test/checks.ts';
import { NOTHING_RAN, type Report, readPlaywrightReport, readVitestReport, testFilesNotRun } from './test/reports.ts';

/** `npm test`: builds, runs every check and every test, and prints how many passed and failed. */
const REPORTS = 'build/test-reports';
const VITEST_REPORT = `${REPORTS}/vitest.json`;
const PLAYWRIGHT_REPORT = `${REPORTS}/playwright.json`;
const SHELL = { shell: process.platform === 'win32' } as const;
const failedRunners = new Set<string>();

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
// Types need them.
await buildMessages();
// The build and the download of a browser keep less than one core busy.
const checking = runChecks(STATIC_CHECKS);
await buildAll();
const browser = await ensureBrowser();
const checks: Report = { ...NOTHING_RAN, ...(await checking) };
// Each waits a third of its time: at once, they leave less of two cores idle.
const rules = testRules();
const reports = [checks, ...(await Promise.all([rules, runJourneys(browser, rules)]))];

const notRun = await testFilesNotRun(reports);
console.log();
for (const failure of reports.flatMap(({ failures }) => failures)) console.error(`Failed: ${failure}`);
for (const file of notRun) console.error(`No test of this file was run: ${file}`);
reports.push({ ...NOTHING_RAN, failed: notRun.length });

const sum = (key: 'passed' | 'failed' | 'skipped') => reports.reduce((total, report) => total + report[key], 0);
const skipped = sum('skipped');
for (const runner of failedRunners) console.error(`${runner} failed.`);
// A runner can also fail without a failed test: by a crash or an unhandled error.
const failed = Math.max(sum('failed'), failedRunners.size);
console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

async function testRules(): Promise<Report> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`];
  console.log('\n— rules and calls');
  await ended('vitest', spawn('vitest', ['run', ...reporters], { ...SHELL, stdio: 'inherit' }));
  return readVitestReport(VITEST_REPORT);
}

/** @param before what is printed before their output */
async function runJourneys(browser: string | undefined, before: Promise<unknown>): Promise<Report> {
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT, ...(browser ? { CHROME_PATH: browser } : {}) };
  const child = spawn('playwright', ['test'], {
    ...SHELL,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const output = new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false });
  const end = ended('playwright', child).finally(() => output.end());
  await before;
  console.log('\n— journeys in a browser');
  for await (const chunk of output) process.stdout.write(chunk);
  await end;
  return readPlaywrightReport(PLAYWRIGHT_REPORT);
}

async function ended(runner: string, child: ChildProcess): Promise<void> {
  const [status]: unknown[] = await once(child, 'close');
  if (status !== 0) failedRunners.add(runner);
}
