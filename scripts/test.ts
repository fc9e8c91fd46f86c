import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
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
// The build keeps one core busy; what needs nothing of it is checked by the others meanwhile.
const checking = checkAll([
  ['types', 'tsc', ['-b']],
  ['format and lint', 'biome', ['ci', '.']],
  ['lint with types', 'oxlint', ['--type-aware', '--deny-warnings']],
]);
await buildAll();
const browser = ensureBrowser();
const reports: Report[] = [...(await checking), ...(await checkAll([['unused files and dependencies', 'knip', []]]))];

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

/** One after the other, each telling what it says when it is done. */
async function checkAll(checks: readonly (readonly [what: string, command: string, args: readonly string[]])[]) {
  const reports: Report[] = [];
  for (const [what, command, args] of checks) {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    const [said, complained, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    console.log(`\n— ${what}\n${said}${complained}`.trimEnd());
    if (status !== 0) failedRunners.add(command);
    reports.push(status === 0 ? { ...NOTHING_RAN, passed: 1 } : { ...NOTHING_RAN, failed: 1 });
  }
  return reports;
}

function run(what: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  console.log(`\n— ${what}`);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
  if (status !== 0) failedRunners.add(command);
}
