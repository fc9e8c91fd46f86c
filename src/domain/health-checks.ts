import { DAY_MS } from './days.ts';

/** Input of the health checks. A time is null if the event never happened. */
export type HealthFacts = {
  readonly now: Date;
  /** Time since this process started. */
  readonly uptimeMs: number;
  readonly webhookVerifiedAt: Date | null;
  readonly webhookRejectedAt: Date | null;
  /** When an event was first found only in the provider's list, after the last verified webhook. */
  readonly unreportedEventAt: Date | null;
  /** When the last database outage ended. */
  readonly databaseRecoveredAt: Date | null;
  /** When the oldest unstarted job was due. */
  readonly oldestDueAt: Date | null;
  /** Last failure of a recurring job that had been failing for at least an hour. */
  readonly recurringJobFailingAt: Date | null;
  /** When emails began to fail; null if the last one succeeded. */
  readonly emailsFailingSince: Date | null;
  readonly booksVerifiedAt: Date | null;
  readonly booksDifferences: number;
  /** Differences between the books and the payment provider in last night's comparison. */
  readonly providerDifferences: number;
  /** When the books were last compared with the payment provider, with any result. */
  readonly providerComparedAt: Date | null;
  /** True if the site takes live payments and the first payment is old enough to have been compared. */
  readonly hasPaymentsToCompare: boolean;
  /** Provider reports that failed to apply five times. */
  readonly failedEvents: number;
  /** When the oldest of the other unapplied provider reports arrived. */
  readonly oldestReportAt: Date | null;
  /** When the last scheduled backup began. */
  readonly backupTriedAt: Date | null;
  /** When the last backup was completed. */
  readonly backupMadeAt: Date | null;
};

/** Failed attempts after which an event needs attention. Attempts during a provider outage don't count. */
export const ATTEMPTS_BEFORE_ATTENTION = 5;

const MINUTE_MS = 60_000;
const MAX_WEBHOOK_DELAY_MS = 15 * MINUTE_MS;
/** How long the alarm stays on after an outage ends. */
const OUTAGE_ALARM_MS = 60 * MINUTE_MS;
const MAX_JOB_DELAY_MS = 15 * MINUTE_MS;
/** Longer than the interval between two runs of any recurring job. */
const FAILING_JOB_ALARM_MS = 120 * MINUTE_MS;
const MAX_EMAIL_OUTAGE_MS = 15 * MINUTE_MS;
/** Limit for nightly jobs. One night may be missed. */
const MAX_NIGHTLY_AGE_MS = 50 * 60 * MINUTE_MS;
/** Limit for the comparison with the provider, which can be unreachable for a night or two. */
export const MAX_COMPARISON_AGE_MS = 3 * DAY_MS;
/** Longer than a short outage of the provider. */
const MAX_REPORT_DELAY_MS = 60 * MINUTE_MS;
/** If no backup has been attempted for this long, backups are considered off. */
const BACKUPS_OFF_AFTER_MS = 14 * DAY_MS;

/** Formats the command line for an npm command, which depends on the installation. */
type CommandLine = (command: string) => string;

/** A condition that an operator must resolve. */
export type Alarm = {
  readonly name: string;
  readonly severity: 'error' | 'warning';
  readonly title: string;
  /** Title once the condition is over. */
  readonly recoveredTitle: string;
  /** Explains the condition and how to fix it. */
  readonly explain: (commandLine: CommandLine) => string;
};

/** An alarm about state that all processes share, used by alarm emails, doctor, the admin page, and metrics. */
export type HealthCheck = Alarm & { readonly isFailing: (facts: HealthFacts) => boolean };

const isOlder = (now: Date, time: Date | null, ms: number) => time !== null && now.getTime() - time.getTime() > ms;
const isAfter = (time: Date | null, reference: Date | null) =>
  time !== null && (reference === null || time > reference);

// Anyone can send forged webhooks, so rejected webhooks count only if no valid ones arrive.
const areWebhooksMissing = ({ now, unreportedEventAt, webhookVerifiedAt }: HealthFacts) =>
  isAfter(unreportedEventAt, webhookVerifiedAt) && isOlder(now, unreportedEventAt, MAX_WEBHOOK_DELAY_MS);
const areWebhooksRejected = ({ webhookRejectedAt, webhookVerifiedAt }: HealthFacts) =>
  isAfter(webhookRejectedAt, webhookVerifiedAt);

/** Webhooks are rejected if the clocks differ by five minutes. */
const MAX_CLOCK_LEAD_MS = 4 * MINUTE_MS;

/** @param leadMs milliseconds by which a machine's clock is ahead of the payment provider's */
export function isClockWrong(leadMs: number): boolean {
  return Math.abs(leadMs) > MAX_CLOCK_LEAD_MS;
}

const GIGABYTE = 1e9;

/** @param free and @param size of a disk, in bytes */
export function isDiskLow(free: number, size: number): boolean {
  const minimum = Math.max(size / 20, Math.min(GIGABYTE, size / 5));
  return free < Math.min(minimum, 10 * GIGABYTE);
}

export const HEALTH_CHECKS = [
  {
    name: 'webhooks-rejected',
    severity: 'error',
    title: 'Payment reports are being rejected',
    recoveredTitle: 'Payment reports are arriving again',
    explain: () =>
      'Payments are being made, but the card processor’s reports about them aren’t signed with STRIPE_WEBHOOK_SECRET. No gift is lost, because the program also checks with the processor every minute. Receipts and refunds are delayed. Please compare STRIPE_WEBHOOK_SECRET with the webhook’s signing secret at Stripe, and restart the program.',
    isFailing: (facts) => areWebhooksMissing(facts) && areWebhooksRejected(facts),
  },
  {
    name: 'webhooks-silent',
    severity: 'warning',
    title: 'Payment reports aren’t arriving',
    recoveredTitle: 'Payment reports are arriving again',
    explain: () =>
      'Payments are being made, but the card processor’s reports about them aren’t arriving. No gift is lost, because the program also checks with the processor every minute. Receipts and refunds are delayed. Please check the webhook’s page at Stripe: is it enabled, and what responses did its last deliveries get?',
    isFailing: (facts) => areWebhooksMissing(facts) && !areWebhooksRejected(facts),
  },
  {
    name: 'jobs-old',
    severity: 'warning',
    title: 'Background work is stuck',
    recoveredTitle: 'Background work is running again',
    explain: () =>
      'Work that should run immediately, such as emailing a receipt, has been waiting for more than 15 minutes. Nothing is lost. Please check the program’s log for errors. If there are none, restart the program.',
    isFailing: ({ now, oldestDueAt }) => isOlder(now, oldestDueAt, MAX_JOB_DELAY_MS),
  },
  {
    name: 'recurring-job-failing',
    severity: 'error',
    title: 'A recurring job keeps failing',
    recoveredTitle: 'Recurring jobs are running again',
    explain: () =>
      'Work that the program repeats, such as sending reminders or deleting expired data, has failed every time for an hour. Please search the program’s log for “a recurring job failed”, which shows the job and the error. The alarm ends two hours after the last failure.',
    isFailing: ({ now, recurringJobFailingAt }) =>
      recurringJobFailingAt !== null && !isOlder(now, recurringJobFailingAt, FAILING_JOB_ALARM_MS),
  },
  {
    name: 'emails-failing',
    severity: 'error',
    title: 'Emails can’t be sent',
    recoveredTitle: 'Emails are being sent again',
    explain: () =>
      'No email has been sent for more than 15 minutes, and several attempts failed. Receipts and sign-in links are delayed. The program keeps trying for about a day. Please check the mail server, and the address, user name, and password in SMTP_URL. The program’s log shows the server’s error code.',
    isFailing: ({ now, emailsFailingSince }) => isOlder(now, emailsFailingSince, MAX_EMAIL_OUTAGE_MS),
  },
  {
    name: 'books-unverified',
    severity: 'warning',
    title: 'The books weren’t verified',
    recoveredTitle: 'The books were verified',
    explain: (commandLine) =>
      `The program verifies its books each night, but has not done so for two days. Please check its log, and run “${commandLine('verify-ledger')}”.`,
    isFailing: ({ now, uptimeMs, booksVerifiedAt }) =>
      booksVerifiedAt === null ? uptimeMs > MAX_NIGHTLY_AGE_MS : isOlder(now, booksVerifiedAt, MAX_NIGHTLY_AGE_MS),
  },
  {
    name: 'books-differ',
    severity: 'error',
    title: 'The books don’t add up',
    recoveredTitle: 'The books add up again',
    explain: (commandLine) =>
      `The program found a difference when it verified its books last night. Please run “${commandLine('verify-ledger')}”, which prints each difference. Save a copy of the database before you change anything. Don’t restore a backup before you know what happened. The alarm ends when the command or the next nightly check finds no difference.`,
    isFailing: ({ booksDifferences }) => booksDifferences > 0,
  },
  {
    name: 'provider-differs',
    severity: 'error',
    title: 'The books differ from the card processor',
    recoveredTitle: 'The books agree with the card processor again',
    explain: (commandLine) =>
      `Each night, the program compares its books with the card processor. It found payments that only one of them has, or amounts that differ. Please run “${commandLine('verify-ledger')} --provider”, which prints each difference. The alarm ends when the command or the next nightly check finds no difference.`,
    isFailing: ({ providerDifferences }) => providerDifferences > 0,
  },
  {
    name: 'provider-uncompared',
    severity: 'error',
    title: 'The books weren’t compared with the card processor',
    recoveredTitle: 'The books were compared with the card processor',
    explain: (commandLine) =>
      `Each night, the program compares its books with the card processor, but no comparison has succeeded for three days. Gifts are still recorded, but a missing one would go unnoticed. Please check the program’s log, and run “${commandLine('verify-ledger')} --provider”. The alarm ends once a comparison succeeds.`,
    isFailing: ({ now, hasPaymentsToCompare, providerComparedAt }) =>
      hasPaymentsToCompare && (providerComparedAt === null || isOlder(now, providerComparedAt, MAX_COMPARISON_AGE_MS)),
  },
  {
    name: 'events-failing',
    severity: 'error',
    title: 'A report from the card processor can’t be recorded',
    recoveredTitle: 'All reports from the card processor are recorded',
    explain: () =>
      'The program tried five times, and tries again every hour. Until it succeeds, the books are incomplete, and the report is listed with its amount under “Needs attention”. Please check the program’s log for the error, and compare with the card processor.',
    isFailing: ({ failedEvents }) => failedEvents > 0,
  },
  {
    name: 'events-waiting',
    severity: 'error',
    title: 'Reports from the card processor are waiting',
    recoveredTitle: 'No report from the card processor is waiting',
    explain: () =>
      'For more than an hour, the program couldn’t read from the card processor what a report is about. Gifts and refunds may be missing in the books, and receipts are delayed. Nothing is lost, and the program tries again at least every hour. Please check the processor’s status page, and whether STRIPE_SECRET_KEY is still valid and has all required permissions. The program’s log shows “an event could not be applied yet”.',
    isFailing: ({ now, oldestReportAt }) => isOlder(now, oldestReportAt, MAX_REPORT_DELAY_MS),
  },
  {
    name: 'backup-old',
    severity: 'warning',
    title: 'There is no recent backup',
    recoveredTitle: 'There is a recent backup again',
    explain: () =>
      'Backups are set up, but the last one is more than two days old. Please check the program’s log for the reason. Often the backup storage is full, or its password has changed.',
    isFailing: ({ now, backupTriedAt, backupMadeAt }) => {
      const makesBackups = backupTriedAt !== null && !isOlder(now, backupTriedAt, BACKUPS_OFF_AFTER_MS);
      return makesBackups && (backupMadeAt === null || isOlder(now, backupMadeAt, MAX_NIGHTLY_AGE_MS));
    },
  },
  {
    name: 'database-was-out',
    severity: 'warning',
    title: 'The database was unavailable',
    recoveredTitle: 'The database has been available for an hour',
    explain: () =>
      'The database is available again. During the outage, gifts and logins failed. No confirmed gift is lost, and the card processor sends its reports again. The program’s log shows when the outage began and how long it lasted. Please check the database’s own log, unless you stopped the database yourself.',
    isFailing: ({ now, databaseRecoveredAt }) =>
      databaseRecoveredAt !== null && !isOlder(now, databaseRecoveredAt, OUTAGE_ALARM_MS),
  },
] as const satisfies readonly HealthCheck[];

/** Checked on each machine, because each has its own disk. */
export const DISK_LOW = {
  name: 'disk-low',
  severity: 'error',
  title: 'A disk is nearly full',
  recoveredTitle: 'The disk has free space again',
  explain: () =>
    'When the disk is full, the program can’t accept gifts or save anything. No confirmed gift is lost. Please delete unneeded files, or enlarge the disk.',
} as const satisfies Alarm;

/** Checked on each machine, because each has its own clock. */
export const CLOCK_WRONG = {
  name: 'clock-wrong',
  severity: 'error',
  title: 'A clock is wrong',
  recoveredTitle: 'The clock is correct again',
  explain: () =>
    'The machine’s clock differs from the card processor’s by more than four minutes. The processor’s reports about payments are rejected, so receipts and refunds are delayed, and a payment page may not open. No gift is lost. Please set the clock with NTP.',
} as const satisfies Alarm;

export const ALARMS = [...HEALTH_CHECKS, DISK_LOW, CLOCK_WRONG];

export type AlarmName = (typeof ALARMS)[number]['name'];

export type HealthCheckName = (typeof HEALTH_CHECKS)[number]['name'];

export const HEALTH_CHECK_NAMES = HEALTH_CHECKS.map(({ name }) => name);

/** @returns the checks that fail, in the order of the list */
export function findFailingChecks(facts: HealthFacts): (HealthCheck & { readonly name: HealthCheckName })[] {
  return HEALTH_CHECKS.filter(({ isFailing }) => isFailing(facts));
}
