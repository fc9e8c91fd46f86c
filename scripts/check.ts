import { buildMessages } from './build/build.ts';
import { type Check, runChecks, STATIC_CHECKS, VITEST } from './test/checks.ts';

/**
 * `npm run check`: what a change needs before it is committed, in about a minute. `npm test` adds the second database
 * engine, the rules of lint that need types, the decoding of pictures, the simulation of the money and the journeys in a
 * browser.
 */
const [types, lint, ...others] = STATIC_CHECKS.map(
  ([name, command, ...args]): Check => [name, command, ...args.filter((arg) => arg !== '--type-aware')],
);
// Types need them.
await buildMessages();
const projects = ['unit', 'api-postgres'].flatMap((project) => ['--project', project]);
const results = await Promise.all([
  // A third worker would load all modules once more, which costs more than it gains here.
  runChecks([[...VITEST, '--reporter=dot', '--maxWorkers=2', ...projects]]),
  runChecks(types ? [types] : []),
  runChecks(lint ? [lint, ...others] : others),
]);
const failed = results.reduce((total, each) => total + each.failed, 0);
if (failed > 0) console.error(`\n${failed} of ${STATIC_CHECKS.length + 1} checks failed, see above.`);
process.exitCode = failed > 0 ? 1 : 0;
