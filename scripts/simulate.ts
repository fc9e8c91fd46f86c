import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgresServer } from './postgres/start-postgres.ts';
import { startWorkers } from './simulation/workers.ts';

/**
 * npm run simulate -- --seeds 300 --steps 60: runs the server's code with a simulated network, provider, and clock.
 * `--seed 17` replays one seed. The number of workers doesn't change the result.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '60' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    // One worker per core, plus one to use the CPU while another waits for the database.
    workers: { type: 'string', default: String(availableParallelism() + 1) },
  },
});
const steps = Number(values.steps);
const firstSeed = Number(values.seed ?? values.from);
const lastSeed = values.seed === undefined ? firstSeed + Number(values.seeds) - 1 : firstSeed;

const server = await startPostgresServer();
try {
  const workers = await startWorkers(server.url, values.seed === undefined ? Number(values.workers) : 1);
  const startTime = performance.now();
  const getElapsedSeconds = () => Math.round((performance.now() - startTime) / 1000);
  let [nextSeed, doneCount, failedCount] = [firstSeed, 0, 0];
  // When interrupted, reports the finished seeds.
  const stop = () => {
    nextSeed = lastSeed + 1;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const runSeeds = async (worker: (typeof workers)[number]) => {
    while (nextSeed <= lastSeed) {
      const seed = nextSeed++;
      const { violations, steps: stepsRun } = await worker.run(seed, steps);
      doneCount += 1;
      if (values.seed !== undefined) console.log(stepsRun.join('\n'));
      if (doneCount % 100 === 0)
        console.error(`${doneCount} seeds after ${getElapsedSeconds()} s, ${failedCount} with violations`);
      if (violations.length === 0) continue;
      failedCount += 1;
      if (values.seed === undefined) console.log(`\nSeed ${seed}:\n${stepsRun.join('\n')}`);
      console.log(`\n${violations.join('\n')}\n\nnpm run simulate -- --seed ${seed} --steps ${steps}`);
    }
  };
  await Promise.all(workers.map(runSeeds));
  console.log(`${doneCount} seeds of ${steps} steps in ${getElapsedSeconds()} s: ${failedCount} with violations.`);
  if (failedCount > 0) process.exitCode = 1;
  for (const worker of workers) worker.stop();
} finally {
  await server.stop();
}
