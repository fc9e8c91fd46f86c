import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import type { Outcome } from './run-seed.ts';

export type Worker = {
  /** @throws Error if the worker's process has ended */
  run(seed: number, steps: number): Promise<Outcome>;
  stop(): void;
};

const WORKER_SCRIPT = fileURLToPath(new URL('./worker.ts', import.meta.url));
const log = { info: () => {}, warn: console.error, error: console.error };

/** @param serverUrl an empty PostgreSQL server */
export async function startWorkers(serverUrl: string, count: number): Promise<Worker[]> {
  const buildDatabaseUrl = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  await admin.query('create database world');
  const templateDatabase = await openDatabase({ databaseUrl: buildDatabaseUrl('world'), dataDir: '', log });
  await migrate(templateDatabase);
  await templateDatabase.close();
  const names = Array.from({ length: count }, (_, index) => `world_${index}`);
  for (const name of names) await admin.query(`create database ${name} template world strategy file_copy`);
  await admin.end();
  return Promise.all(names.map((name) => startWorker(buildDatabaseUrl(name))));
}

async function startWorker(url: string): Promise<Worker> {
  // Steps create many short-lived objects, so a large nursery is faster.
  const child = fork(WORKER_SCRIPT, [url], { execArgv: ['--max-semi-space-size=64'] });
  const unexpectedExit = once(child, 'exit').then(() =>
    Promise.reject(new Error('A simulation worker exited unexpectedly.')),
  );
  // Prevents an unhandled rejection if the process ends while no call is pending.
  unexpectedExit.catch(() => {});
  const waitForMessage = async (): Promise<unknown> =>
    (await Promise.race([once(child, 'message'), unexpectedExit]))[0];
  await waitForMessage();
  return {
    run: async (seed, steps) => {
      child.send({ seed, steps });
      return (await waitForMessage()) as Outcome;
    },
    stop: () => child.disconnect(),
  };
}
