import { execFileSync } from 'node:child_process';
import { buildMessages } from './build/build.ts';
import { type Check, FORMAT, LINT, runChecks, TYPES, UNUSED } from './test/checks.ts';

/**
 * `npm run check`: runs the pre-commit checks in about a minute. `npm test` adds all other API tests, the lint rules
 * that need types, and the browser journeys.
 */
const VITEST = ['vitest', 'run', '--reporter=dot', '--silent=passed-only', '--maxWorkers=2'] as const;
const unitTests: Check = ['rules', ...VITEST, '--project', 'rules', '--project', 'browser'];
const changedTests = findChangedApiTests();
const apiTests: readonly Check[] = changedTests.length > 0 ? [['changed API tests', ...VITEST, ...changedTests]] : [];

// Type checks need the messages.
await buildMessages();
const results = (
  await Promise.all([runChecks([TYPES, unitTests]), runChecks([FORMAT, LINT, UNUSED, ...apiTests])])
).flat();
const failedNames = results.filter(({ status }) => status === 'failed').map(({ name }) => name);
if (failedNames.length > 0) console.error(`\nFailed, see above: ${failedNames.join(', ')}.`);
process.exitCode = failedNames.length > 0 ? 1 : 0;

/** API test files that changed since the last commit. */
function findChangedApiTests(): string[] {
  const runGit = (...args: readonly string[]) =>
    execFileSync('git', [...args, '--', 'test/server'], { encoding: 'utf8' });
  const files =
    runGit('diff', '--name-only', '--diff-filter=d', 'HEAD') + runGit('ls-files', '--others', '--exclude-standard');
  return files.split('\n').filter((file) => file.endsWith('.test.ts'));
}
