import { spawnSync } from 'node:child_process';
import { runChecks, STATIC_CHECKS } from './test/checks.ts';

/** `npm run check`: everything that takes seconds. Journeys in a browser and the second engine are left to `npm test`. */
const [types, ...others] = STATIC_CHECKS;
const [one, two] = await Promise.all([runChecks(types ? [types] : []), runChecks(others)]);
const projects = ['unit', 'pictures', 'api-postgres'].flatMap((project) => ['--project', project]);
const tests = spawnSync('vitest', ['run', '--reporter=dot', ...projects], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (one.failed + two.failed > 0)
  console.error(`${one.failed + two.failed} of ${STATIC_CHECKS.length} checks failed, see above.`);
process.exitCode = one.failed + two.failed > 0 || tests.status !== 0 ? 1 : 0;
