import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { openExistingAndMigrate } from '#server/db/open-migrated.ts';
import type { AppDeps } from '#server/deps.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { COMMAND_LOG } from './command-log.ts';
import { printFailure } from './usage.ts';

export type CommandDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

/** Opens the database for a command. Migrates it first, since the server may not have started since an update. */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openExistingAndMigrate(config, COMMAND_LOG);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Provides job queues. The running server performs the queued jobs, such as sending emails. */
export async function withJobs<T>(db: Database, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  const jobs = await openQueues(db, COMMAND_LOG, QUEUED_JOBS);
  try {
    return await work({ db, jobs, now: () => new Date() });
  } finally {
    await jobs.stop();
  }
}

/** Prints the operator's message for an error or a use case's failure, and sets the exit status. */
export function printOutcomeFailure(error: unknown): void {
  printFailure(error instanceof Failure ? new Error(failureSentence(error)) : error);
}
