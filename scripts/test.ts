import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { buildAll } from './build/build.ts';
import { ensureBrowser } from './test/browser.ts';
import { filesLeftOut, NOTHING_RAN, type Report, readPlaywrightReport, readVitestReport } from './test/reports.ts';

/** What `npm test` does: set everything up, then run every check there is and count. */
const REPORTS = 'build/test-reports';
const VITEST_REPORT = `${REPORTS}/vitest.json`;
const PLAYWRIGHT_REPORT = `${REPORTS}/playwright.json`;
const failedRunners = new Set<string>();

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
await buildAll();
const browser = ensureBrowser();

const reports: Report[] = [
  check('types', 'tsc', ['-b']),
  check('format and lint', 'biome', ['ci', '.']),
  check('lint with types', 'oxlint', ['--type-aware', '--deny-warnings']),
  check('unused files and dependencies', 'knip', []),
];

run('rules and calls', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${VITEST_REPORT}`,
]);
reports.push(await readVitestReport(VITEST_REPORT));

run('journeys in a browser', 'playwright', ['test'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT,
  ...(browser ? { CHROME_PATH: browser } : {}),
});
reports.push(await readPlaywrightReport(PLAYWRIGHT_REPORT));

const leftOut = await filesLeftOut(reports);
for (const file of leftOut) console.error(`No test of this file was run: ${file}`);
reports.push({ ...NOTHING_RAN, failed: leftOut.length });

const sum = (key: 'passed' | 'failed' | 'skipped') => reports.reduce((total, report) => total + report[key], 0);
const skipped = sum('skipped');
// A runner that ended badly without a failed test, by a crash or an unhandled error, has failed all the same.
for (const runner of failedRunners) console.error(`${runner} did not end well.`);
const failed = Math.max(sum('failed'), failedRunners.size);
console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

function check(what: string, command: string, args: readonly string[]): Report {
  return run(what, command, args) ? { ...NOTHING_RAN, passed: 1 } : { ...NOTHING_RAN, failed: 1 };
}

function run(what: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n— ${what}`);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
  if (status !== 0) failedRunners.add(command);
  return status === 0;
}
