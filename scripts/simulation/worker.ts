import { openDatabase } from '#server/db/connection.ts';
import { openSimulation } from './run-seed.ts';

/** Runs the seeds it receives in a separate process with its own database. */
const printLog = (details: object, message: string) => console.error(message, details);
const database = await openDatabase({
  databaseUrl: process.argv[2] ?? '',
  dataDir: '',
  log: { info: () => {}, warn: printLog, error: printLog },
});
const simulation = await openSimulation(database);
process.on('message', ({ seed, steps }: { seed: number; steps: number }) => {
  simulation.run(seed, steps).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      console.error(`Seed ${seed}:`, error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
