import { oneByOne } from '#server/jobs/one-by-one.ts';
import type { JobData, JobName, Jobs } from '#server/jobs/queues.ts';

type KeptJob = {
  readonly [Name in JobName]: { readonly name: Name; readonly data: JobData[Name]; readonly startAfter?: Date };
}[JobName];

export type KeptJobs = Jobs & {
  /** All queued jobs in order, including those of rolled-back transactions. */
  readonly kept: readonly KeptJob[];
  /** The data of all jobs with this name. */
  dataOf<Name extends JobName>(name: Name): JobData[Name][];
};

/** A queue that only records its jobs. */
export function keptJobs(): KeptJobs {
  const kept: KeptJob[] = [];
  return {
    kept,
    ...oneByOne(async (_tx, name, data, startAfter) => {
      // A generic parameter loses the relation of name and data.
      kept.push({ name, data, ...(startAfter && { startAfter }) } as KeptJob);
    }),
    dataOf: <Name extends JobName>(name: Name) =>
      kept.filter((job) => job.name === name).map(({ data }) => data as JobData[Name]),
  };
}
