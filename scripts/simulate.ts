import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgresServer } from './postgres/start-postgres.ts';
import { startWorkers } from './simulation/workers.ts';

/**
 * npm run simulate -- --seeds 300 --steps 60: runs the program's own code on a simulated network, provider, and clock.
 * `--seed 17` replays one seed. The number of workers doesn't change the result.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '60' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    // One worker per core, and another that uses the processor while one waits for the database.
    workers: { type: 'string', default: String(availableParallelism() + 1) },
  },
});
const steps = Number(values.steps);
const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;

const server = await startPostgresServer();
try {
  const workers = await startWorkers(server.url, values.seed === undefined ? Number(values.workers) : 1);
  const startTime = performance.now();
  const secondsSoFar = () => Math.round((performance.now() - startTime) / 1000);
  let [next, done, failed] = [first, 0, 0];
  // Interrupted, it reports the seeds that are done.
  const stop = () => {
    next = last + 1;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const playInTurn = async (worker: (typeof workers)[number]) => {
    while (next <= last) {
      const seed = next++;
      const { violations, steps: stepsRun } = await worker.run(seed, steps);
      done += 1;
      if (values.seed !== undefined) console.log(stepsRun.join('\n'));
      if (done % 100 === 0) console.error(`${done} seeds after ${secondsSoFar()} s, ${failed} with violations`);
      if (violations.length === 0) continue;
      failed += 1;
      if (values.seed === undefined) console.log(`\nSeed ${seed}:\n${stepsRun.join('\n')}`);
      console.log(`\n${violations.join('\n')}\n\nnpm run simulate -- --seed ${seed} --steps ${steps}`);
    }
  };
  await Promise.all(workers.map(playInTurn));
  console.log(`${done} seeds of ${steps} steps in ${secondsSoFar()} s: ${failed} with violations.`);
  if (failed > 0) process.exitCode = 1;
  for (const worker of workers) worker.stop();
} finally {
  await server.stop();
}
