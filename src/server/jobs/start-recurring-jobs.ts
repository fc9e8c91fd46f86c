import { withLongTimeout } from '#server/db/limits.ts';
import type { Log } from '#server/log.ts';
import type { RecurringJob } from './define-job.ts';
import { repeatExclusively } from './leases.ts';
import { type RepeatedTask, repeat, STOP_TIMEOUT_MS } from './repeat.ts';

/** A job that has been failing for this long raises an alarm. */
const MAX_FAILING_MS = 60 * 60_000;

type RunnerDeps = {
  readonly log: Log;
  readonly db: Parameters<typeof repeatExclusively>[0];
  readonly now: () => Date;
  /** Records a failed run of a job that has been failing for an hour. */
  readonly recordFailingJob: () => Promise<void>;
};

/** Starts the recurring jobs. A failed run is logged and repeated at its next scheduled time. */
export function startRecurringJobs<Deps extends RunnerDeps>(
  jobs: readonly RecurringJob<Deps>[],
  deps: Deps,
): RepeatedTask {
  const { log, db, now, recordFailingJob } = deps;
  const abortController = new AbortController();
  const repeatedTasks = jobs.map(({ name, run, isExclusive, isLong, ...schedule }) => {
    let failingSince: Date | undefined;
    const runOnce = () => run(deps, abortController.signal);
    const work = async () => {
      try {
        await (isLong ? withLongTimeout(runOnce) : runOnce());
        failingSince = undefined;
      } catch (err) {
        if (abortController.signal.aborted) return;
        log.error({ job: name, err }, 'a recurring job failed');
        failingSince ??= now();
        // If the database is unreachable, a later failure is recorded instead.
        if (now().getTime() - failingSince.getTime() >= MAX_FAILING_MS) await recordFailingJob().catch(() => {});
      }
    };
    return isExclusive ? repeatExclusively(db, name, work, schedule) : repeat(work, schedule);
  });
  return {
    stop: async () => {
      abortController.abort(new Error('The program is stopping.'));
      const timeout = new Promise((resolve) => void setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      await Promise.race([timeout, Promise.all(repeatedTasks.map((task) => task.stop()))]);
    },
  };
}
