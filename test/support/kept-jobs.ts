import type { JobQueue, QueueableJob } from '#server/jobs/define-job.ts';

type KeptJob = { readonly name: string; readonly data: object; readonly startAfter?: Date };

export type KeptJobs = JobQueue & {
  /** All queued jobs in order, including those of rolled-back transactions. */
  readonly kept: readonly KeptJob[];
  /** The payloads of all queued jobs of this kind. */
  dataOf<Payload extends object>(job: QueueableJob<Payload>): Payload[];
};

/** A queue that only records its jobs. */
export function keptJobs(): KeptJobs {
  const jobs: KeptJob[] = [];
  return {
    kept: jobs,
    enqueue: async (_tx, { name }, data, startAfter) => {
      jobs.push({ name, data, ...(startAfter && { startAfter }) });
    },
    enqueueAll: async (_tx, { name }, payloads) => {
      jobs.push(...payloads.map((data) => ({ name, data })));
    },
    dataOf: ({ name, payload }) => jobs.filter((job) => job.name === name).map(({ data }) => payload.parse(data)),
  };
}

/** For tests whose jobs don't matter. */
export const NO_JOBS: JobQueue = { enqueue: async () => {}, enqueueAll: async () => {} };
