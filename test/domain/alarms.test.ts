import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlarmState, NO_ALARM, updateAlarm } from '#domain/alarms.ts';
import { ALARMS, findFailingChecks, type HealthFacts, isClockWrong, isDiskLow } from '#domain/health-checks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-03-14T12:00:00Z');
const timeAgo = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);

const HEALTHY: HealthFacts = {
  now: NOW,
  uptimeMs: 100 * HOUR,
  webhookVerifiedAt: timeAgo(200 * HOUR),
  webhookRejectedAt: null,
  unreportedEventAt: null,
  databaseRecoveredAt: null,
  oldestDueAt: null,
  recurringJobFailingAt: null,
  emailsFailingSince: null,
  booksVerifiedAt: timeAgo(20 * HOUR),
  booksDifferences: 0,
  providerDifferences: 0,
  providerComparedAt: timeAgo(20 * HOUR),
  hasPaymentsToCompare: true,
  failedEvents: 0,
  oldestReportAt: null,
  backupTriedAt: null,
  backupMadeAt: null,
};

test.each<[string, Partial<HealthFacts>, readonly string[]]>([
  ['a quiet fund raises no alarm', {}, []],
  [
    'a webhook arrived after the missed event was found',
    { unreportedEventAt: timeAgo(HOUR), webhookVerifiedAt: timeAgo(30 * MINUTE) },
    [],
  ],
  ['a webhook may still arrive', { unreportedEventAt: timeAgo(15 * MINUTE) }, []],
  ['an event was found that no webhook delivered', { unreportedEventAt: timeAgo(16 * MINUTE) }, ['webhooks-silent']],
  [
    'no webhook ever arrived',
    { unreportedEventAt: timeAgo(16 * MINUTE), webhookVerifiedAt: null },
    ['webhooks-silent'],
  ],
  [
    'webhooks are rejected',
    { unreportedEventAt: timeAgo(HOUR), webhookRejectedAt: timeAgo(MINUTE) },
    ['webhooks-rejected'],
  ],
  ['forged webhooks are rejected, and real ones arrive', { webhookRejectedAt: timeAgo(MINUTE) }, []],
  [
    'forged webhooks were rejected long ago',
    { unreportedEventAt: timeAgo(HOUR), webhookRejectedAt: timeAgo(300 * HOUR) },
    ['webhooks-silent'],
  ],
  ['the database recovered an hour ago', { databaseRecoveredAt: timeAgo(HOUR) }, ['database-was-out']],
  ['the database recovered more than an hour ago', { databaseRecoveredAt: timeAgo(61 * MINUTE) }, []],
  ['a job is overdue', { oldestDueAt: timeAgo(16 * MINUTE) }, ['jobs-old']],
  ['a job is briefly overdue', { oldestDueAt: timeAgo(15 * MINUTE) }, []],
  ['a recurring job keeps failing', { recurringJobFailingAt: timeAgo(2 * HOUR) }, ['recurring-job-failing']],
  ['a recurring job failed more than two hours ago', { recurringJobFailingAt: timeAgo(121 * MINUTE) }, []],
  ['emails keep failing', { emailsFailingSince: timeAgo(16 * MINUTE) }, ['emails-failing']],
  ['emails fail briefly', { emailsFailingSince: timeAgo(15 * MINUTE) }, []],
  ['the books were verified two nights ago', { booksVerifiedAt: timeAgo(50 * HOUR) }, []],
  ['the books were verified more than two nights ago', { booksVerifiedAt: timeAgo(51 * HOUR) }, ['books-unverified']],
  ['the books were never verified', { booksVerifiedAt: null }, ['books-unverified']],
  ['the program has just started', { booksVerifiedAt: null, uptimeMs: HOUR }, []],
  ['the books differ', { booksDifferences: 1 }, ['books-differ']],
  ['the books differ from the provider', { providerDifferences: 1 }, ['provider-differs']],
  ['the provider was unreachable for two nights', { providerComparedAt: timeAgo(72 * HOUR) }, []],
  [
    'the provider was unreachable for three nights',
    { providerComparedAt: timeAgo(73 * HOUR) },
    ['provider-uncompared'],
  ],
  ['the books were never compared with the provider', { providerComparedAt: null }, ['provider-uncompared']],
  [
    'a fund without live payments has nothing to compare',
    { providerComparedAt: null, hasPaymentsToCompare: false },
    [],
  ],
  ['an event failed five times', { failedEvents: 1 }, ['events-failing']],
  ['an event has been waiting for an hour', { oldestReportAt: timeAgo(HOUR) }, []],
  ['an event has been waiting for more than an hour', { oldestReportAt: timeAgo(61 * MINUTE) }, ['events-waiting']],
  ['a backup is made each night', { backupTriedAt: timeAgo(HOUR), backupMadeAt: timeAgo(25 * HOUR) }, []],
  ['backups fail', { backupTriedAt: timeAgo(HOUR), backupMadeAt: timeAgo(51 * HOUR) }, ['backup-old']],
  ['backups have always failed', { backupTriedAt: timeAgo(HOUR) }, ['backup-old']],
  ['backups were turned off', { backupTriedAt: timeAgo(15 * 24 * HOUR), backupMadeAt: timeAgo(15 * 24 * HOUR) }, []],
])('%s', (_title, facts, expectedChecks) => {
  expect(findFailingChecks({ ...HEALTHY, ...facts }).map(({ name }) => name)).toEqual(expectedChecks);
});

test('the low-disk threshold depends on the disk size', () => {
  const isLow = (free: number, size: number) => isDiskLow(free * 1e9, size * 1e9);
  expect([isLow(9.9, 1000), isLow(10.1, 1000)]).toEqual([true, false]);
  expect([isLow(4.9, 100), isLow(5.1, 100)]).toEqual([true, false]);
  expect([isLow(0.9, 10), isLow(1.1, 10)]).toEqual([true, false]);
  expect([isLow(0.19, 1), isLow(0.21, 1)]).toEqual([true, false]);
});

test('a clock may differ from the provider’s by four minutes', () => {
  expect([-241_000, -240_000, 0, 240_000, 241_000].map(isClockWrong)).toEqual([true, false, false, false, true]);
});

/** Returns the email, if any, sent after each five-minute check. A check is true if it found the problem. */
function simulateAlarm(checkResults: readonly boolean[]): (string | undefined)[] {
  let state: AlarmState = NO_ALARM;
  return checkResults.map((isWrong, index) => {
    const update = updateAlarm(state, isWrong, new Date(NOW.getTime() + index * 5 * MINUTE));
    state = update.state;
    return update.email;
  });
}

const repeat = (count: number, isWrong: boolean) => Array<boolean>(count).fill(isWrong);
const sentEmails = (checkResults: readonly boolean[]) => simulateAlarm(checkResults).filter(Boolean);

test('an alarm sends one email when it starts and one when it clears', () => {
  expect(simulateAlarm([false, true, true, true])).toEqual([undefined, undefined, 'began', undefined]);
  expect(sentEmails([...repeat(50, true), ...repeat(50, false)])).toEqual(['began', 'over']);
});

test('brief problems and brief recoveries send no email', () => {
  expect(sentEmails([true, false, true, false, true, false])).toEqual([]);
  expect(sentEmails([...repeat(3, true), ...repeat(3, false), ...repeat(3, true), ...repeat(3, false)])).toEqual([
    'began',
  ]);
});

test('a flapping problem raises an alarm at most once every six hours', () => {
  const outage = [...repeat(2, true), ...repeat(4, false)];
  const day = Array.from({ length: 48 }, () => outage).flat();
  expect(sentEmails(day).length).toBeLessThanOrEqual(8);
  expect(sentEmails([...repeat(2, true), ...repeat(4, false), ...repeat(80, true)])).toEqual([
    'began',
    'over',
    'began',
  ]);
});

test('alarm emails alternate between start and end and are limited in number', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 600 }), (checkResults) => {
      const emails = sentEmails(checkResults);
      expect(emails).toEqual(emails.map((_email, index) => (index % 2 === 0 ? 'began' : 'over')));
      // Two emails per six hours (72 checks), and two for the remaining checks.
      expect(emails.length).toBeLessThanOrEqual(2 * (Math.ceil(checkResults.length / 72) + 1));
    }),
  );
});

test('every alarm has its own name', () => expect(new Set(ALARMS.map(({ name }) => name)).size).toBe(15));
