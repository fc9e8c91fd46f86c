import { withLongTimeout } from '#server/db/limits.ts';
import type { Log } from '#server/log.ts';
import type { RecurringJob } from './define-job.ts';
import { repeatExclusively } from './leases.ts';
import { type RepeatedTask, repeat } from './repeat.ts';

/** Starts the recurring jobs. A failed run is logged and repeated at its next scheduled time. */
export function startRecurringJobs<
  Deps extends { readonly log: Log; readonly db: Parameters<typeof repeatExclusively>[0] },
>(jobs: readonly RecurringJob<Deps>[], deps: Deps): RepeatedTask {
  const abortController = new AbortController();
  const repeatedTasks = jobs.map(({ name, run, isExclusive, isLong, ...schedule }) => {
    const runOnce = () => run(deps, abortController.signal);
    const work = () =>
      (isLong ? withLongTimeout(runOnce) : runOnce()).catch((err: unknown) => {
        if (!abortController.signal.aborted) deps.log.error({ job: name, err }, 'a recurring job failed');
      });
    return isExclusive ? repeatExclusively(deps.db, name, work, schedule) : repeat(work, schedule);
  });
  return {
    stop: async () => {
      abortController.abort(new Error('The program is stopping.'));
      await Promise.all(repeatedTasks.map((each) => each.stop()));
    },
  };
}
