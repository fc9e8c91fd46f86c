import { DAY_MS } from './days.ts';

/** Conditions that an operator must resolve. */
export const ALARMS = [
  'webhook-secret',
  'webhooks-silent',
  'jobs-old',
  'mails-failing',
  'books-unverified',
  'books-differ',
  'provider-differs',
  'events-failing',
  'backup-old',
  'database-was-out',
  'disk-low',
] as const;

export type AlarmName = (typeof ALARMS)[number];

/** Facts for the alarms. A time is null if the event never happened. */
export type AlarmFacts = {
  readonly now: Date;
  /** Time since this process started. */
  readonly uptimeMs: number;
  readonly webhookVerifiedAt: Date | null;
  readonly webhookRefusedAt: Date | null;
  /** When an event was first found only in the provider's list, after the last verified webhook. */
  readonly eventFoundAt: Date | null;
  /** When the last database outage ended. */
  readonly databaseBackAt: Date | null;
  /** When the oldest unstarted job was due. */
  readonly oldestDueAt: Date | null;
  /** When emails began to fail without any success since. */
  readonly mailsFailingSince: Date | null;
  readonly booksVerifiedAt: Date | null;
  readonly booksDifferences: number;
  /** Differences between the books and the payment provider in last night's comparison. */
  readonly providerDifferences: number;
  /** Provider reports that failed to apply five times. */
  readonly failedEvents: number;
  /** When the last scheduled backup began, and when the last backup was made. */
  readonly backupTriedAt: Date | null;
  readonly backupMadeAt: Date | null;
};

const MINUTE_MS = 60_000;
const WEBHOOK_MS = 15 * MINUTE_MS;
/** The time for which an ended outage stays an alarm. */
const OUTAGE_MS = 60 * MINUTE_MS;
const JOB_MS = 15 * MINUTE_MS;
const MAIL_MS = 15 * MINUTE_MS;
/** Limit for nightly work, which may be missed once. */
const NIGHTLY_MS = 50 * 60 * MINUTE_MS;
/** If no backup has been attempted for this long, backups are considered off. */
const BACKUPS_MS = 14 * DAY_MS;

/** Current alarm conditions, except for disks, which each machine checks separately. */
export function activeConditions(facts: AlarmFacts): ReadonlySet<AlarmName> {
  const { now, webhookVerifiedAt, webhookRefusedAt, eventFoundAt } = facts;
  const isOlder = (time: Date | null, ms: number) => time !== null && now.getTime() - time.getTime() > ms;
  const isAfter = (time: Date | null, other: Date | null) => time !== null && (other === null || time > other);
  // Anyone can send forged reports, so they are an alarm only if real ones don't arrive.
  const isSilent = isAfter(eventFoundAt, webhookVerifiedAt) && isOlder(eventFoundAt, WEBHOOK_MS);
  const isRefused = isSilent && isAfter(webhookRefusedAt, webhookVerifiedAt);
  const neverVerified = facts.booksVerifiedAt === null && facts.uptimeMs > NIGHTLY_MS;
  const makesBackups = facts.backupTriedAt !== null && !isOlder(facts.backupTriedAt, BACKUPS_MS);
  const conditions: Readonly<Record<Exclude<AlarmName, 'disk-low'>, boolean>> = {
    'webhook-secret': isRefused,
    'webhooks-silent': isSilent && !isRefused,
    'jobs-old': isOlder(facts.oldestDueAt, JOB_MS),
    'mails-failing': isOlder(facts.mailsFailingSince, MAIL_MS),
    'books-unverified': neverVerified || isOlder(facts.booksVerifiedAt, NIGHTLY_MS),
    'books-differ': facts.booksDifferences > 0,
    'provider-differs': facts.providerDifferences > 0,
    'events-failing': facts.failedEvents > 0,
    'database-was-out': facts.databaseBackAt !== null && !isOlder(facts.databaseBackAt, OUTAGE_MS),
    'backup-old': makesBackups && (facts.backupMadeAt === null || isOlder(facts.backupMadeAt, NIGHTLY_MS)),
  };
  return new Set(ALARMS.filter((name) => name !== 'disk-low' && conditions[name]));
}

const GIGABYTE = 1e9;

/** @param free and @param size of a disk, in bytes */
export function isDiskLow(free: number, size: number): boolean {
  const minimum = Math.max(size / 20, Math.min(GIGABYTE, size / 5));
  return free < Math.min(minimum, 10 * GIGABYTE);
}

export type AlarmState = {
  readonly isOn: boolean;
  /** When the condition began to differ from the alarm's state. */
  readonly doubtfulSince: Date | null;
  /** When the alarm last began or ended. */
  readonly changedAt: Date | null;
};

export const NO_ALARM: AlarmState = { isOn: false, doubtfulSince: null, changedAt: null };

/** Delays that ignore brief problems and keep an alarm on through brief recoveries. */
const BEGINS_AFTER_MS = 4 * MINUTE_MS;
const ENDS_AFTER_MS = 14 * MINUTE_MS;
/** Minimum time between emails about a recurring alarm. */
const REPEAT_AFTER_MS = 6 * 60 * MINUTE_MS;

/** @returns the state after a check, and the email to send */
export function updateAlarm(
  state: AlarmState,
  isWrong: boolean,
  now: Date,
): { readonly state: AlarmState; readonly mail: 'began' | 'over' | undefined } {
  if (isWrong === state.isOn) return { state: { ...state, doubtfulSince: null }, mail: undefined };
  const since = state.doubtfulSince ?? now;
  const isConfirmed = now.getTime() - since.getTime() >= (isWrong ? BEGINS_AFTER_MS : ENDS_AFTER_MS);
  const isTooSoon = isWrong && state.changedAt !== null && now.getTime() - state.changedAt.getTime() < REPEAT_AFTER_MS;
  if (!isConfirmed || isTooSoon) return { state: { ...state, doubtfulSince: since }, mail: undefined };
  return { state: { isOn: isWrong, doubtfulSince: null, changedAt: now }, mail: isWrong ? 'began' : 'over' };
}
