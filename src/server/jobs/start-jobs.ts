import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/db/connection.ts';
import { takingLong } from '#server/db/limits.ts';
import type { AppDeps } from '#server/deps.ts';
import { sweepActivity } from '#server/features/activity/record-activity.ts';
import { type AlarmDeps, checkAlarms } from '#server/features/alarms/check-alarms.ts';
import { mailAlarm } from '#server/features/alarms/send-alarm-email.job.ts';
import type { OrgAllocation } from '#server/features/allocation/read-allocation.ts';
import { removeUnusedPicture } from '#server/features/cells/add-picture.ts';
import { mailAlert } from '#server/features/checkouts/send-alert-email.job.ts';
import { mailCardAlarm } from '#server/features/checkouts/send-card-alarm-email.job.ts';
import { settleCheckouts, settleFees, sweepCheckouts } from '#server/features/checkouts/settle-checkouts.ts';
import { sweepEditors } from '#server/features/editors/change-role.ts';
import { mailInvitation, mailLostRole, mailNewRole } from '#server/features/editors/editor-emails.job.ts';
import { verifyBooksNightly } from '#server/features/operation/verify-books.ts';
import { sweepPledges } from '#server/features/pledges/record-pledge.ts';
import { mailPledge } from '#server/features/pledges/send-pledge-email.job.ts';
import { applyDueEvents, queueEventsLeftForLater } from '#server/features/provider-events/apply-events.ts';
import { readEventList } from '#server/features/provider-events/read-event-list.ts';
import { readFeeList } from '#server/features/provider-events/read-fee-list.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import { sweepRateLimits } from '#server/features/rate-limits/check-rate-limit.ts';
import { announceHomes, mailHome } from '#server/features/receipts/send-home-email.job.ts';
import { mailReceipt } from '#server/features/receipts/send-receipt-email.job.ts';
import { mailReceiptElsewhere } from '#server/features/receipts/send-receipt-redirect-email.job.ts';
import { mailReturnedGift } from '#server/features/receipts/send-returned-gift-email.job.ts';
import { type InvitationLink, newInvitationLink } from '#server/features/sessions/accept-invitation.ts';
import { mailSession } from '#server/features/sessions/send-session-email.job.ts';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { mailRefusedStory, mailStoryClaim } from '#server/features/stories/claim-story.ts';
import { mailStory } from '#server/features/stories/send-story-email.job.ts';
import { mailChangedGift, mailEndedGift, mailFailedRenewal } from '#server/features/subscriptions/gift-emails.job.ts';
import { askAboutSubscriptions } from '#server/features/subscriptions/record-subscription.ts';
import { mailCard } from '#server/features/tributes/send-tribute-card.job.ts';
import { sweepTributes } from '#server/features/tributes/tributes.ts';
import { mailAdminChange } from '#server/features/users/send-admin-change-email.job.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import { eventSignals, type Signals } from './event-signals.ts';
import { repeatInOne } from './leases.ts';
import type { Jobs } from './queues.ts';
import { openQueues } from './queues.ts';
import { type Repeated, repeat } from './repeat.ts';

export type StartJobsOptions = Pick<
  AppDeps,
  'db' | 'payments' | 'livemode' | 'pictures' | 'parent' | 'publicUrl' | 'sandbox' | 'mailbox' | 'challenge' | 'now'
> &
  Pick<AlarmDeps, 'alarmEmails' | 'dataDir'> & {
    readonly mailer: Mailer;
    readonly log: Log;
  };

export type RunningJobs = Jobs & {
  /** Applies newly stored events of the payment provider at once. */
  wakeEvents(): void;
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
/** Apart from the sweep, which also waits for the start to be over. */
const FIRST_VERIFY_MS = 2 * MINUTE;
const FIRST_ALARMS_MS = 3 * MINUTE;
const ALARMS_EVERY_MS = 5 * MINUTE;

const FIRST_RECONCILE_MS = SECOND;
const RECONCILE_EVERY_MS = MINUTE;
/** They change once a day, and their events say so at once. */
const PAYOUTS_EVERY_MS = 10 * MINUTE;
/** A mail waits for an hour anyway. */
const HOMES_EVERY_MS = 10 * MINUTE;
/** How soon an event is found that another process stored, or that is tried again. */
const LOOK_FOR_EVENTS_EVERY_MS = SECOND;

/** Starts the background work: mails and sweeping right away, reconciling when asked to. */
export async function startJobs(options: StartJobsOptions): Promise<RunningJobs> {
  const { db, log } = options;
  const queues = await openQueues(db, log);
  const events = eventSignals();
  const newLink = (invitation: InvitationLink) => newInvitationLink(options, invitation);
  const withLinks = { ...options, newLink };
  await queues.work({
    'sign-up': (data) => finishSignUp({ ...options, jobs: queues }, data),
    'mail-session': (data) => mailSession(options, data),
    'send-receipt': async (data, at) => {
      // Its PDF takes as long as several payments.
      await events.calm();
      await mailReceipt(options, data, at);
    },
    'mail-role-invitation': (data) => mailInvitation(withLinks, data),
    'mail-new-role': (data) => mailNewRole(options, data),
    'mail-lost-role': (data) => mailLostRole(options, data),
    'mail-story': (data) => mailStory(options, data),
    'mail-story-claim': (data) => mailStoryClaim(options, data),
    'mail-refused-story': (data) => mailRefusedStory(options, data),
    'mail-failed-renewal': (data) => mailFailedRenewal(options, data),
    'mail-ended-gift': (data) => mailEndedGift(options, data),
    'mail-receipt-elsewhere': (data) => mailReceiptElsewhere(options, data),
    'mail-changed-gift': (data) => mailChangedGift(options, data),
    'mail-returned-gift': (data) => mailReturnedGift(options, data),
    'mail-home': (data, at) => mailHome(options, data, at),
    'mail-pledge': (data) => mailPledge(options, data),
    'mail-alarm': (data) => mailAlarm(options, data),
    'mail-card-alarm': (data) => mailCardAlarm(options, data),
    'mail-alert': (data) => mailAlert(options, data),
    'mail-admin-change': (data) => mailAdminChange(options, data),
    'mail-card': (data, at) => mailCard(options, data, at),
    'remove-picture': ({ key }) => options.pictures.remove(key),
    'remove-unused-picture': (data) => removeUnusedPicture(options, data),
  });
  const sweeping = sweepRepeatedly({ ...options, jobs: queues });
  const verifying = repeat(
    logged(log, 'the books could not be verified', () => verifyBooksNightly(options, options.now(), log)),
    { firstMs: FIRST_VERIFY_MS, everyMs: SWEEP_EVERY_MS },
  );
  const watching = repeat(
    logged(log, 'what could be wrong was not looked at', () => checkAlarms({ ...options, jobs: queues }, log)),
    { firstMs: FIRST_ALARMS_MS, everyMs: ALARMS_EVERY_MS },
  );
  let payments: readonly Repeated[] = [];
  return {
    wakeEvents: () => events.wake(),
    startReconciling: () => {
      if (payments.length > 0) return;
      const deps = { ...options, jobs: queues };
      payments = [applyEventsRepeatedly(deps, events), ...reconcileRepeatedly(deps)];
    },
    enqueue: (tx, name, data, startAfter) => queues.enqueue(tx, name, data, startAfter),
    enqueueAll: (tx, name, all) => queues.enqueueAll(tx, name, all),
    stop: async () => {
      events.stop();
      await Promise.all([sweeping, verifying, watching, ...payments].map((each) => each.stop()));
      await queues.stop();
    },
  };
}

/**
 * The list of events and the checkouts are asked about apart, so that a list that fails holds up no checkout. Each by one
 * process at a time: the provider is asked as often with many as with one.
 */
function reconcileRepeatedly(deps: StartJobsOptions & { jobs: Jobs }): readonly Repeated[] {
  const { db, log } = deps;
  const looked = new Map<string, OrgAllocation>();
  const inOne = (name: string, failure: string, work: () => Promise<void>, everyMs = RECONCILE_EVERY_MS) =>
    repeatInOne(db, name, logged(log, failure, work), { firstMs: FIRST_RECONCILE_MS, everyMs });
  return [
    inOne('events', 'the list of payment events could not be read', () => readEventList(deps, log)),
    inOne('checkouts', 'unsettled payments could not be asked about', () => settleCheckouts(deps, log)),
    inOne('fees', 'fees could not be asked about', () => settleFees(deps, log)),
    inOne('gifts', 'recurring gifts could not be asked about', () => askAboutSubscriptions(deps, log)),
    inOne('payouts', 'payouts could not be asked about', () => readPayoutList(deps, log), PAYOUTS_EVERY_MS),
    inOne('account-fees', 'fees for the account could not be asked about', () => readFeeList(deps, log), HOUR),
    inOne('homes', 'homes could not be looked for', () => announceHomes(deps, looked), HOMES_EVERY_MS),
  ];
}

function applyEventsRepeatedly(deps: StartJobsOptions & { jobs: Jobs }, events: Signals): Repeated {
  let isFirst = true;
  const apply = logged(deps.log, 'payment events could not be applied', async () => {
    if (isFirst) await queueEventsLeftForLater(deps);
    isFirst = false;
    await applyDueEvents(deps, deps.log, events);
  });
  const round = async () => {
    const woken = events.woken();
    await apply();
    await Promise.race([pause(LOOK_FOR_EVENTS_EVERY_MS, undefined, { ref: false }), woken]);
  };
  return repeat(round, { firstMs: 0, everyMs: 0 });
}

/** Deletes expired sessions, invitations, codes, rate-limit records, and tributes and checkouts that were not paid for. */
function sweepRepeatedly(options: StartJobsOptions & { jobs: Jobs }): Repeated {
  const sweep = async () => {
    await sweepSessions(options);
    await sweepEditors(options);
    await sweepRateLimits(options);
    await sweepActivity(options.db, options.now());
    await sweepTributes(options);
    await sweepCheckouts(options);
    await sweepPledges(options);
  };
  const round = () => takingLong(sweep);
  return repeat(logged(options.log, 'the sweep failed', round), { firstMs: FIRST_SWEEP_MS, everyMs: SWEEP_EVERY_MS });
}

function logged(log: Log, failure: string, work: () => Promise<void>): () => Promise<void> {
  return () => work().catch((err: unknown) => log.error({ err }, failure));
}
