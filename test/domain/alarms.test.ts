import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlarmState, NO_ALARM, updateAlarm } from '#domain/alarms.ts';
import { ALARMS, failingChecks, type HealthFacts, isClockWrong, isDiskLow } from '#domain/health-checks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-03-14T12:00:00Z');
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);

const WELL: HealthFacts = {
  now: NOW,
  uptimeMs: 100 * HOUR,
  webhookVerifiedAt: ago(200 * HOUR),
  webhookRejectedAt: null,
  missedEventAt: null,
  databaseRecoveredAt: null,
  oldestDueAt: null,
  mailsFailingSince: null,
  booksVerifiedAt: ago(20 * HOUR),
  booksDifferences: 0,
  providerDifferences: 0,
  providerComparedAt: ago(20 * HOUR),
  hasPaymentsToCompare: true,
  failedEvents: 0,
  backupTriedAt: null,
  backupMadeAt: null,
};

test.each<[string, Partial<HealthFacts>, readonly string[]]>([
  ['a quiet fund is well', {}, []],
  ['a webhook came after the event was found', { missedEventAt: ago(HOUR), webhookVerifiedAt: ago(30 * MINUTE) }, []],
  ['a webhook has still time to come', { missedEventAt: ago(15 * MINUTE) }, []],
  ['an event was found that no webhook brought', { missedEventAt: ago(16 * MINUTE) }, ['webhooks-silent']],
  ['none ever came', { missedEventAt: ago(16 * MINUTE), webhookVerifiedAt: null }, ['webhooks-silent']],
  ['webhooks are rejected', { missedEventAt: ago(HOUR), webhookRejectedAt: ago(MINUTE) }, ['webhooks-rejected']],
  ['forged webhooks are rejected, and real ones arrive', { webhookRejectedAt: ago(MINUTE) }, []],
  [
    'forged ones were rejected long ago',
    { missedEventAt: ago(HOUR), webhookRejectedAt: ago(300 * HOUR) },
    ['webhooks-silent'],
  ],
  ['the database was out', { databaseRecoveredAt: ago(HOUR) }, ['database-was-out']],
  ['the database was out earlier', { databaseRecoveredAt: ago(61 * MINUTE) }, []],
  ['a job waits', { oldestDueAt: ago(16 * MINUTE) }, ['jobs-old']],
  ['a job waits for a moment', { oldestDueAt: ago(15 * MINUTE) }, []],
  ['mails fail', { mailsFailingSince: ago(16 * MINUTE) }, ['emails-failing']],
  ['mails fail for a moment', { mailsFailingSince: ago(15 * MINUTE) }, []],
  ['the books were verified two nights ago', { booksVerifiedAt: ago(50 * HOUR) }, []],
  ['the books were verified earlier', { booksVerifiedAt: ago(51 * HOUR) }, ['books-unverified']],
  ['the books were never verified', { booksVerifiedAt: null }, ['books-unverified']],
  ['the program has just started', { booksVerifiedAt: null, uptimeMs: HOUR }, []],
  ['the books differ', { booksDifferences: 1 }, ['books-differ']],
  ['the books differ from the provider', { providerDifferences: 1 }, ['provider-differs']],
  ['the provider was unreachable for two nights', { providerComparedAt: ago(72 * HOUR) }, []],
  ['the provider was unreachable for three nights', { providerComparedAt: ago(73 * HOUR) }, ['provider-uncompared']],
  ['the books were never compared with the provider', { providerComparedAt: null }, ['provider-uncompared']],
  [
    'a fund without live payments has nothing to compare',
    { providerComparedAt: null, hasPaymentsToCompare: false },
    [],
  ],
  ['an event failed five times', { failedEvents: 1 }, ['events-failing']],
  ['a backup is made each night', { backupTriedAt: ago(HOUR), backupMadeAt: ago(25 * HOUR) }, []],
  ['backups fail', { backupTriedAt: ago(HOUR), backupMadeAt: ago(51 * HOUR) }, ['backup-old']],
  ['backups have always failed', { backupTriedAt: ago(HOUR) }, ['backup-old']],
  ['backups were switched off', { backupTriedAt: ago(15 * 24 * HOUR), backupMadeAt: ago(15 * 24 * HOUR) }, []],
])('%s', (_what, facts, wrong) => {
  expect(failingChecks({ ...WELL, ...facts }).map(({ name }) => name)).toEqual(wrong);
});

test('a full disk is judged by its size', () => {
  const low = (free: number, size: number) => isDiskLow(free * 1e9, size * 1e9);
  expect([low(9.9, 1000), low(10.1, 1000)]).toEqual([true, false]);
  expect([low(4.9, 100), low(5.1, 100)]).toEqual([true, false]);
  expect([low(0.9, 10), low(1.1, 10)]).toEqual([true, false]);
  expect([low(0.19, 1), low(0.21, 1)]).toEqual([true, false]);
});

test('a clock may differ from the provider’s by four minutes', () => {
  expect([-241_000, -240_000, 0, 240_000, 241_000].map(isClockWrong)).toEqual([true, false, false, false, true]);
});

/** The emails sent if the problem is present or absent at each five-minute check. */
function mailsOf(looks: readonly boolean[]): (string | undefined)[] {
  let state: AlarmState = NO_ALARM;
  return looks.map((isWrong, at) => {
    const looked = updateAlarm(state, isWrong, new Date(NOW.getTime() + at * 5 * MINUTE));
    state = looked.state;
    return looked.mail;
  });
}

const times = (count: number, isWrong: boolean) => Array<boolean>(count).fill(isWrong);
const sentMails = (looks: readonly boolean[]) => mailsOf(looks).filter(Boolean);

test('an alarm sends one email when it starts and one when it clears', () => {
  expect(mailsOf([false, true, true, true])).toEqual([undefined, undefined, 'began', undefined]);
  expect(sentMails([...times(50, true), ...times(50, false)])).toEqual(['began', 'over']);
});

test('brief problems and brief recoveries send no email', () => {
  expect(sentMails([true, false, true, false, true, false])).toEqual([]);
  expect(sentMails([...times(3, true), ...times(3, false), ...times(3, true), ...times(3, false)])).toEqual(['began']);
});

test('a flapping problem alarms again after six hours at the earliest', () => {
  const once = [...times(2, true), ...times(4, false)];
  const day = Array.from({ length: 48 }, () => once).flat();
  expect(sentMails(day).length).toBeLessThanOrEqual(8);
  expect(sentMails([...times(2, true), ...times(4, false), ...times(80, true)])).toEqual(['began', 'over', 'began']);
});

test('alarm emails alternate between start and end and are limited in number', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 600 }), (looks) => {
      const mails = sentMails(looks);
      expect(mails).toEqual(mails.map((_mail, at) => (at % 2 === 0 ? 'began' : 'over')));
      // Two emails per six hours (72 checks), and two for the remaining checks.
      expect(mails.length).toBeLessThanOrEqual(2 * (Math.ceil(looks.length / 72) + 1));
    }),
  );
});

test('every alarm has its own name', () => expect(new Set(ALARMS.map(({ name }) => name)).size).toBe(13));
