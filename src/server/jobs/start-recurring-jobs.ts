import { withLongTimeout } from '#server/db/limits.ts';
import type { Log } from '#server/log.ts';
import type { RecurringJob } from './define-job.ts';
import { repeatInOne } from './leases.ts';
import { type Repetition, repeat } from './repeat.ts';

/** Starts the recurring jobs. A run that fails is logged, and repeated at its next time. */
export function startRecurringJobs<Deps extends { readonly log: Log; readonly db: Parameters<typeof repeatInOne>[0] }>(
  jobs: readonly RecurringJob<Deps>[],
  deps: Deps,
): Repetition {
  const stopping = new AbortController();
  const repetitions = jobs.map(({ name, run, isExclusive, isLong, ...times }) => {
    const runOnce = () => run(deps, stopping.signal);
    const work = () =>
      (isLong ? withLongTimeout(runOnce) : runOnce()).catch((err: unknown) => {
        if (!stopping.signal.aborted) deps.log.error({ job: name, err }, 'a recurring job failed');
      });
    return isExclusive ? repeatInOne(deps.db, name, work, times) : repeat(work, times);
  });
  return {
    stop: async () => {
      stopping.abort(new Error('The program is stopping.'));
      await Promise.all(repetitions.map((each) => each.stop()));
    },
  };
}
