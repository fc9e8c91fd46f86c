import type { JobQueue, QueueableJob } from '#server/jobs/define-job.ts';

type RecordedJob = { readonly name: string; readonly data: object; readonly startAfter?: Date };

export type JobRecorder = JobQueue & {
  /** All queued jobs in order, even from transactions that were rolled back. */
  readonly recordedJobs: readonly RecordedJob[];
  /** The data of all queued jobs of this kind. */
  findPayloads<Payload extends object>(job: QueueableJob<Payload>): Payload[];
};

/** A job queue that only records its jobs. */
export function createJobRecorder(): JobRecorder {
  const jobs: RecordedJob[] = [];
  return {
    recordedJobs: jobs,
    enqueue: async (_tx, { name }, data, startAfter) => {
      jobs.push({ name, data, ...(startAfter && { startAfter }) });
    },
    enqueueAll: async (_tx, { name }, payloads) => {
      jobs.push(...payloads.map((data) => ({ name, data })));
    },
    findPayloads: ({ name, payload }) => jobs.filter((job) => job.name === name).map(({ data }) => payload.parse(data)),
  };
}

/** A job queue that drops its jobs, for tests that don't check them. */
export const NO_JOBS: JobQueue = { enqueue: async () => {}, enqueueAll: async () => {} };
