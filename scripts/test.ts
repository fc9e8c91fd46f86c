import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { buildAll, buildMessages } from './build/build.ts';
import { ensureBrowser } from './test/browser.ts';
import { runChecks, STATIC_CHECKS } from './test/checks.ts';
import { NOTHING_RAN, type Report, readPlaywrightReport, readVitestReport, testFilesNotRun } from './test/reports.ts';

/** `npm test`: builds, runs every check and every test, and prints how many passed and failed. */
const REPORTS = 'build/test-reports';
const VITEST_REPORT = `${REPORTS}/vitest.json`;
const PLAYWRIGHT_REPORT = `${REPORTS}/playwright.json`;
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
const reports = [checks, await testRules(), await runJourneys(browser)];

const notRun = await testFilesNotRun(reports);
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
  await run('rules and calls', 'vitest', ['run', ...reporters]);
  return readVitestReport(VITEST_REPORT);
}

async function runJourneys(browser: string | undefined): Promise<Report> {
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT, ...(browser ? { CHROME_PATH: browser } : {}) };
  await run('journeys in a browser', 'playwright', ['test'], env);
  return readPlaywrightReport(PLAYWRIGHT_REPORT);
}

async function run(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  console.log(`\n— ${name}`);
  const child = spawn(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
  const [status]: unknown[] = await once(child, 'exit');
  if (status !== 0) failedRunners.add(command);
}
