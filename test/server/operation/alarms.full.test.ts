import os from 'node:os';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { ALARMS, type AlarmName } from '#domain/health-checks.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { type AlarmDeps, checkAlarms, recordAlarm } from '#server/features/alarms/check-alarms.ts';
import { sendAlarmEmail } from '#server/features/alarms/send-alarm-email.job.ts';
import { recordDatabaseRecovery, recordFailingJob } from '#server/features/operation/alarm-events.ts';
import { verifyBooksNightly } from '#server/features/operation/verify-books.ts';
import { readEventList } from '#server/features/provider-events/read-event-list.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addUser } from '#test/support/builders/user.ts';
import { DAY, HOUR, MINUTE } from '#test/support/clock.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const setup = await startDonationSetup();
const { clock, db, provider } = setup;
const payments = { ...provider.payments, listMovements: async () => 'complete' as const };
const verifyDeps = { ...setup.deps, payments };
const { log, loggedProblems } = createLogSpy();
const queues = await openQueues(db, log, QUEUED_JOBS);
afterAll(() => queues.stop());

type AlarmChange = readonly [alarm: string, change: string];

/** Runs the check this many times, five minutes apart. @returns queued emails */
async function runCheck(times = 1, options: Partial<AlarmDeps> = {}): Promise<AlarmChange[]> {
  const jobs = createJobRecorder();
  const deps = {
    db,
    jobs,
    payments,
    now: clock.now,
    alarmEmails: ['operator@fund.example'],
    dataDir: os.tmpdir(),
    ...options,
  };
  for (let round = 0; round < times; round += 1) {
    await checkAlarms(deps, log);
    clock.advance(5 * MINUTE);
  }
  return jobs
    .findPayloads(sendAlarmEmail)
    .flatMap(({ alarm, change }) => (alarm === 'disk-low' ? [] : [[alarm, change] as const]));
}

/** Returns errors logged since the last call. */
const takeNewLogEntries = (() => {
  let reportedCount = 0;
  return () => {
    const newEntries = loggedProblems.slice(reportedCount);
    reportedCount = loggedProblems.length;
    return newEntries;
  };
})();

test('a healthy fund with no activity for days raises no alarm', async () => {
  await verifyBooksNightly(verifyDeps, clock.now(), log);
  expect(await runCheck(3)).toEqual([]);
  clock.advance(DAY);
  await verifyBooksNightly(verifyDeps, clock.now(), log);
  expect(await runCheck(3)).toEqual([]);
  expect(takeNewLogEntries()).toEqual([]);
});

test('missing webhooks raise one alarm, and their return sends one email', async () => {
  const { paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  await readEventList(setup.deps, log);
  await setup.applyEvents();
  expect(await runCheck(3)).toEqual([]);
  expect(await runCheck(30)).toEqual([['webhooks-silent', 'began']]);
  expect(takeNewLogEntries()).toEqual([expect.stringContaining('an alarm began')]);
  await provider.deliverEvents();
  expect(await runCheck(2)).toEqual([]);
  expect(await runCheck(5)).toEqual([['webhooks-silent', 'over']]);
});

test('a webhook slightly later than its listed event raises no alarm', async () => {
  clock.advance(HOUR);
  const { paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  await readEventList(setup.deps, log);
  await provider.deliverEvents();
  expect(await runCheck(12)).toEqual([]);
  expect(takeNewLogEntries()).toEqual([]);
});

test('a wrong webhook secret raises its own alarm, and forged webhooks alone raise none', async () => {
  clock.advance(DAY);
  await verifyBooksNightly(verifyDeps, clock.now(), log);
  const sendForgedWebhook = () =>
    setup.app.inject({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: '{}',
      headers: { 'stripe-signature': 't=1,v1=aa' },
    });
  await sendForgedWebhook();
  expect(await runCheck(12)).toEqual([]);
  const { paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  await sendForgedWebhook();
  await readEventList(setup.deps, log);
  expect(await runCheck(8)).toEqual([['webhooks-rejected', 'began']]);
  await provider.deliverEvents();
  expect(await runCheck(8)).toEqual([['webhooks-rejected', 'over']]);
  takeNewLogEntries();
});

test('a wrong clock raises one alarm until it’s corrected', async () => {
  const withClockLead = (minutes: number | undefined) => ({
    payments: { ...payments, clockLeadMs: () => minutes && minutes * MINUTE },
  });
  expect(await runCheck(3, withClockLead(undefined))).toEqual([]);
  expect(await runCheck(3, withClockLead(-5))).toEqual([['clock-wrong', 'began']]);
  // The clock lead is temporarily unknown.
  expect(await runCheck(5, withClockLead(undefined))).toEqual([]);
  expect(await runCheck(5, withClockLead(1))).toEqual([['clock-wrong', 'over']]);
  takeNewLogEntries();
});

test('books that are unverified or don’t match raise alarms', async () => {
  clock.advance(3 * DAY);
  expect(await runCheck(2)).toEqual([['books-unverified', 'began']]);
  await db.kysely.updateTable('ledger_totals').set({ amount_cents: 1 }).where('org_id', '=', setup.orgId).execute();
  await verifyBooksNightly(verifyDeps, clock.now(), log);
  expect(await runCheck(5)).toEqual([
    ['books-differ', 'began'],
    ['books-unverified', 'over'],
  ]);
  takeNewLogEntries();
});

test('stuck jobs and failing emails raise alarms', async () => {
  // Jobs use the database's clock.
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db.kysely);
  const databaseNow = rows[0]?.now ?? new Date();
  clock.advance(databaseNow.getTime() - clock.now().getTime());
  await verifyBooksNightly(verifyDeps, clock.now(), log);
  await db.kysely.updateTable('alarms').set({ is_on: false, change_pending_since: null, changed_at: null }).execute();
  const readChanges = async (names: readonly AlarmName[], times: number) =>
    (await runCheck(times)).filter(([alarm]) => names.includes(alarm as AlarmName));
  const enqueueReceiptEmail = () =>
    db.kysely
      .transaction()
      .execute((tx) =>
        queues.enqueue(tx, sendReceiptEmail, { orgId: setup.orgId, receiptNumber: 1, mailingId: 'first' }),
      );
  await enqueueReceiptEmail();
  const alarmNames = ['jobs-old', 'emails-failing'] as const;
  expect(await readChanges(alarmNames, 3)).toEqual([]);
  expect(await readChanges(alarmNames, 4)).toEqual([['jobs-old', 'began']]);
  await sql`update pgboss.job set state = 'retry', retry_count = 4`.execute(db.kysely);
  expect(await readChanges(alarmNames, 5)).toEqual([['jobs-old', 'over']]);
  await sql`update pgboss.job set retry_count = 5`.execute(db.kysely);
  expect(await readChanges(alarmNames, 2)).toEqual([['emails-failing', 'began']]);
  // Another email was sent, so the problem is with that recipient.
  await enqueueReceiptEmail();
  await sql`update pgboss.job set state = 'completed', completed_on = now() + interval '1 minute'
    where state = 'created'`.execute(db.kysely);
  expect(await readChanges(alarmNames, 5)).toEqual([['emails-failing', 'over']]);
  takeNewLogEntries();
});

test('several processes checking simultaneously email an alarm once', async () => {
  const jobs = createJobRecorder();
  const deps = { db, jobs, now: clock.now, alarmEmails: ['a@fund.example', 'b@fund.example'], dataDir: os.tmpdir() };
  const recordFourTimes = () => Promise.all([1, 2, 3, 4].map(() => recordAlarm(deps, log, 'disk-low', true, 'one')));
  await recordFourTimes();
  clock.advance(5 * MINUTE);
  await recordFourTimes();
  await recordAlarm(deps, log, 'disk-low', true, 'another');
  expect(jobs.findPayloads(sendAlarmEmail).map(({ to, host }) => [to, host])).toEqual([
    [{ email: 'a@fund.example' }, 'one'],
    [{ email: 'b@fund.example' }, 'one'],
  ]);
  takeNewLogEntries();
});

test('without configured addresses, current admins get the email', async () => {
  const adminId = await addUser(db, { admin: true });
  await addUser(db);
  const jobs = createJobRecorder();
  const deps = { db, jobs, now: clock.now, alarmEmails: [], dataDir: os.tmpdir() };
  await recordAlarm(deps, log, 'backup-old', true);
  clock.advance(5 * MINUTE);
  await recordAlarm(deps, log, 'backup-old', true);
  const alarms = jobs.findPayloads(sendAlarmEmail);
  expect(alarms.map(({ to }) => to)).toEqual([{ userId: adminId }]);
  expect(await sendAlarmEmails(alarms)).toHaveLength(1);
  await db.kysely.updateTable('users').set({ admin: false }).where('id', '=', adminId).execute();
  expect(await sendAlarmEmails(alarms)).toEqual([]);
  takeNewLogEntries();
});

async function sendAlarmEmails(alarms: readonly object[]): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const alarm of alarms)
    await sendAlarmEmail.run({ db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer }, alarm);
  return sentEmails;
}

test('one email explains the problem and the fix, and another says it’s resolved', async () => {
  const commonPayload = { to: { email: 'operator@fund.example' }, at: clock.now().toISOString(), host: 'one' };
  for (const { name: alarm } of ALARMS) {
    const emails = await sendAlarmEmails([
      { ...commonPayload, alarm, change: 'began' },
      { ...commonPayload, alarm, change: 'over' },
    ]);
    const [startEmail, endEmail] = emails;
    expect([startEmail?.to, emails.length, startEmail?.messageKey === endEmail?.messageKey]).toEqual([
      'operator@fund.example',
      2,
      false,
    ]);
    expect(startEmail?.text).toContain('Please');
    expect(startEmail?.text).toContain('Machine: one.');
    expect(endEmail?.text).toContain(`The problem “${startEmail?.subject}” is resolved`);
  }
});

test('a database outage is emailed once when it’s over', async () => {
  const readOutageChanges = async (times: number) =>
    (await runCheck(times)).flatMap(([alarm, change]) => (alarm === 'database-was-out' ? [change] : []));
  expect(await readOutageChanges(2)).toEqual([]);
  await recordDatabaseRecovery(db, clock.now());
  expect(await readOutageChanges(2)).toEqual(['began']);
  expect(await readOutageChanges(10)).toEqual([]);
  expect(await readOutageChanges(10)).toEqual(['over']);
});

test('a recurring job that keeps failing is emailed once', async () => {
  const readJobChanges = async (times: number) =>
    (await runCheck(times)).flatMap(([alarm, change]) => (alarm === 'recurring-job-failing' ? [change] : []));
  await recordFailingJob(db, clock.now());
  expect(await readJobChanges(3)).toEqual(['began']);
  expect(await readJobChanges(30)).toEqual(['over']);
});
