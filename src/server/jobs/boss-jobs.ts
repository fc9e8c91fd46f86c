import type { Log } from '#server/db/log.ts';
import type { AppDeps } from '#server/deps.ts';
import { reconcilePayments } from '#server/features/checkouts/reconcile-payments.ts';
import { mailInvitation } from '#server/features/editors/mail-invitation.ts';
import { mailNewEditor } from '#server/features/editors/mail-new-editor.ts';
import { removePicture } from '#server/features/media/remove-picture.ts';
import { sweepAttempts } from '#server/features/rate-limits/sweep-attempts.ts';
import { mailReceipt } from '#server/features/receipts/mail-receipt.ts';
import { mailSession } from '#server/features/sessions/mail-session.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { sweepSessions } from '#server/features/sessions/sweep-sessions.ts';
import { mailStory } from '#server/features/stories/mail-story.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import { openQueues } from './boss-queues.ts';
import type { Jobs } from './jobs.ts';
import { type Repeated, repeat } from './repeat.ts';

export type StartJobsOptions = Pick<
  AppDeps,
  'db' | 'payments' | 'pictures' | 'parent' | 'publicUrl' | 'sandbox' | 'now'
> & {
  readonly mailer: Mailer;
  readonly log: Log;
};

export type RunningJobs = Jobs & {
  /** Begins to ask the provider about what is not settled. After the program listens: the provider may be a part of it. */
  beginReconciling(): void;
  /** Ends the background work, after what is under way. Before the database is closed. */
  stop(): Promise<void>;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_SWEEPING_MS = MINUTE;
const SWEEPING_EVERY_MS = HOUR;

const FIRST_RECONCILING_MS = SECOND;
const RECONCILING_EVERY_MS = MINUTE;
/** At a start everything may have been missed that the provider still tries to deliver; later only a little. */
const LOOKING_BACK_AT_START_MS = 72 * HOUR;
const LOOKING_BACK_MS = HOUR;

/** Starts the work that nobody waits for: mails at once, and asking the provider when it is told to begin. */
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
    'remove-picture': (data) => removePicture(options, data),
  });
  const sweeping = startSweeping(options);
  let reconciling: Repeated | undefined;
  return {
    beginReconciling: () => {
      reconciling ??= startReconciling({ ...options, jobs: queues });
    },
    enqueue: (tx, name, data) => queues.enqueue(tx, name, data),
    stop: async () => {
      await Promise.all([sweeping.stop(), reconciling?.stop()]);
      await queues.stop();
    },
  };
}

function startReconciling(deps: StartJobsOptions & { jobs: Jobs }): Repeated {
  let lookingBack = LOOKING_BACK_AT_START_MS;
  const round = async () => {
    try {
      const heard = await reconcilePayments(deps, deps.log, new Date(deps.now().getTime() - lookingBack));
      if (heard) lookingBack = LOOKING_BACK_MS;
    } catch (err) {
      deps.log.error({ err }, 'the payments could not be reconciled');
    }
  };
  return repeat(round, { firstMs: FIRST_RECONCILING_MS, everyMs: RECONCILING_EVERY_MS });
}

/** What has ended means nothing any more, and nobody needs to be remembered by it. */
function startSweeping(options: StartJobsOptions): Repeated {
  const round = async () => {
    try {
      await sweepSessions(options);
      await sweepAttempts(options);
    } catch (err) {
      options.log.error({ err }, 'what has ended could not be taken away');
    }
  };
  return repeat(round, { firstMs: FIRST_SWEEPING_MS, everyMs: SWEEPING_EVERY_MS });
}
