import { parseArgs } from 'node:util';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { startPostgresServer } from './postgres/start-postgres.ts';
import { openSimulation } from './simulation/run-seed.ts';

/**
 * npm run simulate -- --seeds 300 --steps 60: the program's own code over a simulated network, provider and clock.
 * `--seed 17` replays one seed.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '60' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
  },
});
const steps = Number(values.steps);
const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;

const server = await startPostgresServer();
const complain = (details: object, message: string) => console.error(message, details);
const real = await openDatabase({
  databaseUrl: server.url,
  dataDir: '',
  log: { info: () => {}, warn: complain, error: complain },
});
try {
  await migrate(real);
  const simulation = await openSimulation(real);
  const begun = performance.now();
  let failed = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const { violations, steps: taken } = await simulation.run(seed, steps);
    if (values.seed !== undefined) console.log(taken.join('\n'));
    if (seed % 500 === 0) console.error(`${seed} seeds after ${secondsSince(begun)} s`);
    if (violations.length === 0) continue;
    failed += 1;
    if (values.seed === undefined) console.log(`\nSeed ${seed}:\n${taken.join('\n')}`);
    console.log(`\n${violations.join('\n')}\n\nnpm run simulate -- --seed ${seed} --steps ${steps}`);
  }
  console.log(`${last - first + 1} seeds of ${steps} steps in ${secondsSince(begun)} s: ${failed} with violations.`);
  if (failed > 0) process.exitCode = 1;
  await simulation.close();
} finally {
  await real.close();
  await server.stop();
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 1000);
}
