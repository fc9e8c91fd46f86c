import type { JobData, JobName, Jobs } from '#server/jobs/jobs.ts';

type KeptJob = { readonly [Name in JobName]: { readonly name: Name; readonly data: JobData[Name] } }[JobName];

export type KeptJobs = Jobs & {
  /** What was asked for, in its order, also by a transaction that did not come through. */
  readonly kept: readonly KeptJob[];
  /** What was asked for of one kind. */
  dataOf<Name extends JobName>(name: Name): JobData[Name][];
};

/** Jobs that nobody does, for a test to look at. */
export function keptJobs(): KeptJobs {
  const kept: KeptJob[] = [];
  return {
    kept,
    enqueue: async (_tx, name, data) => {
      // That a name and its data belong together is lost in a generic parameter.
      kept.push({ name, data } as KeptJob);
    },
    dataOf: <Name extends JobName>(name: Name) =>
      kept.filter((job) => job.name === name).map(({ data }) => data as JobData[Name]),
  };
}
