import { sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { Tables } from '#server/db/tables.ts';

/** One attempt at a job. A failed job is retried until its last attempt. */
export type JobAttempt = { readonly isLastAttempt: boolean };

/** Work that a transaction queues. It runs after the commit and is retried until it succeeds. */
export type Job<Payload extends object, Deps> = {
  /** Also its queue's name. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Delay before a queued job may run. */
  readonly delaySeconds: number;
  /** Parses the payload, then runs the job. */
  readonly run: (deps: Deps, payload: unknown, attempt?: JobAttempt) => Promise<void>;
};

type JobDefinition<Payload extends object, Deps> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  readonly delaySeconds?: number;
  readonly run: (deps: Deps, payload: Payload, attempt: JobAttempt) => Promise<void>;
};

/** Condition on pg-boss's table: jobs that send email are named `send-…`. */
export const isEmailJob = sql<boolean>`name like 'send-%'`;

export function defineJob<Payload extends object, Deps>({
  name,
  payload,
  delaySeconds = 0,
  run,
}: JobDefinition<Payload, Deps>): Job<Payload, Deps> {
  return {
    name,
    payload,
    delaySeconds,
    run: (deps, data, attempt = { isLastAttempt: false }) => run(deps, payload.parse(data), attempt),
  };
}

/** The part of a job that is needed to queue it. */
export type QueueableJob<Payload extends object> = Pick<Job<Payload, never>, 'name' | 'payload' | 'delaySeconds'>;

export type JobQueue = {
  /**
   * Queues a job if and only if the caller's transaction commits.
   *
   * @param startAfter defaults to the job's own delay
   */
  enqueue<Payload extends object>(
    tx: Transaction<Tables>,
    job: QueueableJob<Payload>,
    payload: NoInfer<Payload>,
    startAfter?: Date,
  ): Promise<void>;
  /** Queues a job for each payload in one statement. */
  enqueueAll<Payload extends object>(
    tx: Transaction<Tables>,
    job: QueueableJob<Payload>,
    payloads: readonly NoInfer<Payload>[],
  ): Promise<void>;
};

/** Work that the program repeats while it runs. */
export type RecurringJob<Deps> = {
  readonly name: string;
  /** Time from the start of the program to the first run. */
  readonly initialDelayMs: number;
  /** Time from the end of a run to the next one. */
  readonly intervalMs: number;
  /** True if only one process may run it at a time, so that processes sharing a database don't repeat its work. */
  readonly isExclusive: boolean;
  /** True if its statements may exceed the usual time limit, because they read or change a lot of data. */
  readonly isLong?: boolean;
  /** @param signal aborted when the program stops */
  readonly run: (deps: Deps, signal: AbortSignal) => Promise<void>;
};

export function defineRecurringJob<Deps>(job: RecurringJob<Deps>): RecurringJob<Deps> {
  return job;
}
