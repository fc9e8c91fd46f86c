import type { Log } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { reconcilePayments } from '#server/features/checkouts/reconcile-payments.ts';
import { mailInvitation, mailNewEditor } from '#server/features/editors/editor-mails.ts';
import { sweepRateLimits } from '#server/features/rate-limits/check-rate-limit.ts';
import { mailReceipt } from '#server/features/receipts/mail-receipt.ts';
import { mailSession } from '#server/features/sessions/mail-session.ts';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { mailStory } from '#server/features/stories/mail-story.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { Jobs } from './jobs.ts';
import { openQueues } from './jobs.ts';

export type StartJobsOptions = Pick<
  AppDeps,
  'db' | 'payments' | 'pictures' | 'parent' | 'publicUrl' | 'sandbox' | 'now'
> & {
  readonly mailer: Mailer;
  readonly log: Log;
};

export type RunningJobs = Jobs & {
  /** Starts polling the payment provider. Call it once the server listens: the sandbox provider runs inside it. */
  startReconciling(): void;
  /** Finishes the running work and stops. Call it before the database is closed. */
  stop(): Promise<void>;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_SWEEP_MS = MINUTE;
const SWEEP_EVERY_MS = HOUR;

const FIRST_RECONCILE_MS = SECOND;
const RECONCILE_EVERY_MS = MINUTE;
/** At a start, look back as far as the provider may still be retrying its deliveries. */
const LOOK_BACK_AT_START_MS = 72 * HOUR;
const LOOK_BACK_MS = HOUR;

/** Starts the background work: mails and sweeping right away, reconciling when told to. */
export async function startJobs(options: StartJobsOptions): Promise<RunningJobs> {
  const { db, log } = options;
  const queues = await openQueues(db, log);
  await queues.work({
    'sign-up': (data) => finishSignUp({ ...options, jobs: queues }, data),
    'mail-session': (data) => mailSession(options, data),
    'mail-receipt': (data) => mailReceipt(options, data),
    'mail-invitation': (data) => mailInvitation(options, data),
    'mail-new-editor': (data) => mailNewEditor(options, data),
    'mail-story': (data) => mailStory(options, data),
    'remove-picture': ({ key }) => options.pictures.remove(key),
  });
  const sweeping = sweepRepeatedly(options);
  let reconciling: Repeated | undefined;
  return {
    startReconciling: () => {
      reconciling ??= reconcileRepeatedly({ ...options, jobs: queues });
    },
    enqueue: (tx, name, data) => queues.enqueue(tx, name, data),
    stop: async () => {
      await Promise.all([sweeping.stop(), reconciling?.stop()]);
      await queues.stop();
    },
  };
}

function reconcileRepeatedly(deps: StartJobsOptions & { jobs: Jobs }): Repeated {
  let lookBack = LOOK_BACK_AT_START_MS;
  const round = async () => {
    try {
      const isComplete = await reconcilePayments(deps, deps.log, new Date(deps.now().getTime() - lookBack));
      if (isComplete) lookBack = LOOK_BACK_MS;
    } catch (err) {
      deps.log.error({ err }, 'reconciling payments failed');
    }
  };
  return repeat(round, { firstMs: FIRST_RECONCILE_MS, everyMs: RECONCILE_EVERY_MS });
}

/** Deletes expired sessions, codes and rate-limit records. */
function sweepRepeatedly(options: StartJobsOptions): Repeated {
  const round = async () => {
    try {
      await sweepSessions(options);
      await sweepRateLimits(options);
    } catch (err) {
      options.log.error({ err }, 'the sweep failed');
    }
  };
  return repeat(round, { firstMs: FIRST_SWEEP_MS, everyMs: SWEEP_EVERY_MS });
}

type Repeated = { stop(): Promise<void> };

/** Runs `work` repeatedly, `everyMs` after each run ends. It must not throw. */
function repeat(work: () => Promise<void>, { firstMs, everyMs }: { firstMs: number; everyMs: number }): Repeated {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = work().finally(() => {
      if (!stopped) timer = later(run, everyMs);
    });
  };
  let timer = later(run, firstMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** A timer that does not keep the process alive. */
function later(work: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}
