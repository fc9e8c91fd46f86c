import { DAY_MS } from './days.ts';

/** What an operator has to look after. */
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

/** Times are null where it never happened. */
export type AlarmFacts = {
  readonly now: Date;
  /** Since this process started. */
  readonly uptimeMs: number;
  readonly webhookVerifiedAt: Date | null;
  readonly webhookRefusedAt: Date | null;
  /** When an event was first found in the provider's list alone, after the last verified webhook. */
  readonly eventFoundAt: Date | null;
  /** When the last outage of the database ended. */
  readonly databaseBackAt: Date | null;
  /** Of the jobs that nobody has begun, when the oldest could have begun. */
  readonly oldestDueAt: Date | null;
  /** Since when mails fail again and again, and none is sent. */
  readonly mailsFailingSince: Date | null;
  readonly booksVerifiedAt: Date | null;
  readonly booksDifferences: number;
  /** Between the books and the payment provider, last night. */
  readonly providerDifferences: number;
  /** Reports of the payment provider that could not be applied five times. */
  readonly failedEvents: number;
  /** When a backup was last begun by the schedule, and when one was last made. */
  readonly backupTriedAt: Date | null;
  readonly backupMadeAt: Date | null;
};

const MINUTE_MS = 60_000;
const WEBHOOK_MS = 15 * MINUTE_MS;
/** So long an outage that ended is news. */
const OUTAGE_MS = 60 * MINUTE_MS;
const JOB_MS = 15 * MINUTE_MS;
const MAIL_MS = 15 * MINUTE_MS;
/** Of what happens each night: one may be missed. */
const NIGHTLY_MS = 50 * 60 * MINUTE_MS;
/** Without a try for so long, backups were switched off. */
const BACKUPS_MS = 14 * DAY_MS;

/** What is wrong now. Disks are looked at apart, as each machine has its own. */
export function wrongNow(facts: AlarmFacts): ReadonlySet<AlarmName> {
  const { now, webhookVerifiedAt, webhookRefusedAt, eventFoundAt } = facts;
  const isOlder = (at: Date | null, ms: number) => at !== null && now.getTime() - at.getTime() > ms;
  const isAfter = (at: Date | null, other: Date | null) => at !== null && (other === null || at > other);
  // Anyone can send forged reports: they are an alarm only where real ones do not arrive.
  const isSilent = isAfter(eventFoundAt, webhookVerifiedAt) && isOlder(eventFoundAt, WEBHOOK_MS);
  const isRefused = isSilent && isAfter(webhookRefusedAt, webhookVerifiedAt);
  const neverVerified = facts.booksVerifiedAt === null && facts.uptimeMs > NIGHTLY_MS;
  const makesBackups = facts.backupTriedAt !== null && !isOlder(facts.backupTriedAt, BACKUPS_MS);
  const wrong: Readonly<Record<Exclude<AlarmName, 'disk-low'>, boolean>> = {
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
  return new Set(ALARMS.filter((name) => name !== 'disk-low' && wrong[name]));
}

const GIGABYTE = 1e9;

/** @param free and @param size of a disk, in bytes */
export function isDiskLow(free: number, size: number): boolean {
  const least = Math.max(size / 20, Math.min(GIGABYTE, size / 5));
  return free < Math.min(least, 10 * GIGABYTE);
}

export type AlarmState = {
  readonly isOn: boolean;
  /** Since when it looks as if this should change. */
  readonly doubtfulSince: Date | null;
  /** When it last began or ended. */
  readonly changedAt: Date | null;
};

export const NO_ALARM: AlarmState = { isOn: false, doubtfulSince: null, changedAt: null };

/** So that what goes by itself is no alarm, and what comes and goes is not over. */
const BEGINS_AFTER_MS = 4 * MINUTE_MS;
const ENDS_AFTER_MS = 14 * MINUTE_MS;
/** What comes and goes is mailed so often at most. */
const AGAIN_AFTER_MS = 6 * 60 * MINUTE_MS;

/** @returns the state after a look at it, and what is to be mailed */
export function afterLook(
  state: AlarmState,
  isWrong: boolean,
  now: Date,
): { readonly state: AlarmState; readonly mail: 'began' | 'over' | undefined } {
  if (isWrong === state.isOn) return { state: { ...state, doubtfulSince: null }, mail: undefined };
  const since = state.doubtfulSince ?? now;
  const waited = now.getTime() - since.getTime() >= (isWrong ? BEGINS_AFTER_MS : ENDS_AFTER_MS);
  const isTooSoon = isWrong && state.changedAt !== null && now.getTime() - state.changedAt.getTime() < AGAIN_AFTER_MS;
  if (!waited || isTooSoon) return { state: { ...state, doubtfulSince: since }, mail: undefined };
  return { state: { isOn: isWrong, doubtfulSince: null, changedAt: now }, mail: isWrong ? 'began' : 'over' };
}
