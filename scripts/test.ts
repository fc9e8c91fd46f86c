import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { buildAll } from './build/build.ts';
import { ensureBrowser } from './test/browser.ts';
import { runChecks, STATIC_CHECKS, VITEST } from './test/checks.ts';
import { NOTHING_RAN, type Report, readPlaywrightReport, readVitestReport, testFilesNotRun } from './test/reports.ts';

/** `npm test`: builds, runs every check and every test, and prints how many passed and failed. */
const REPORTS = 'build/test-reports';
const VITEST_REPORT = `${REPORTS}/vitest.json`;
const PLAYWRIGHT_REPORT = `${REPORTS}/playwright.json`;
const failedRunners = new Set<string>();

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
// Side by side: each alone leaves a core idle for a third of its time.
const rules = checkRules();
await buildAll();
const journeys = await runJourneys(await ensureBrowser());
const reports = [...(await rules), journeys];

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

/** The checks without tests, then the tests without a browser. The output of each is printed when it ends. */
async function checkRules(): Promise<Report[]> {
  const checks = await runChecks(STATIC_CHECKS);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`];
  const { failed } = await runChecks([[...VITEST, ...reporters]]);
  if (failed > 0) failedRunners.add('vitest');
  return [{ ...NOTHING_RAN, ...checks }, await readVitestReport(VITEST_REPORT)];
}

async function runJourneys(browser: string | undefined): Promise<Report> {
  console.log('\n— journeys in a browser');
  const child = spawn('playwright', ['test'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT,
      ...(browser ? { CHROME_PATH: browser } : {}),
    },
  });
  const [status]: unknown[] = await once(child, 'exit');
  if (status !== 0) failedRunners.add('playwright');
  return readPlaywrightReport(PLAYWRIGHT_REPORT);
}
