// @spec decisions.3
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordDrill } from '#server/features/backups/record-drill.ts';
import { setPaymentMode } from '#server/features/ledger/payment-mode.ts';
import { readOperationEvents } from '#server/features/operation/operation.store.ts';
import { readFailingChecks } from '#server/features/operation/read-failing-checks.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import {
  getLastScheduledTime,
  runNightlyComparison,
  verifyBooksNightly,
} from '#server/features/operation/verify-books.ts';
import { createWebhookMonitor } from '#server/features/operation/webhook-monitor.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { unreachableProvider } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestClock, DAY, HOUR, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const db = await createTestDatabase();
const verifyDeps = { db, payments: unreachableProvider, livemode: false };
const { log, loggedProblems } = createLogSpy();
/** Returns log entries added since the last call. */
function takeNewLogEntries(): readonly string[] {
  const previousCount = reportedCount;
  reportedCount = loggedProblems.length;
  return loggedProblems.slice(previousCount);
}
let reportedCount = 0;
const { now } = createTestClock();
const timeAgo = (milliseconds: number) => new Date(now().getTime() - milliseconds);
const NO_JOBS = { pendingCount: 0, oldestAt: null, oldestName: null, failedEmailCount: 0, lastEmailFailedAt: null };

test('before the first start, all figures are empty', async () => {
  expect(await readFigures(db, now())).toEqual({
    jobs: NO_JOBS,
    payments: {
      unsettledCheckouts: 0,
      overdueCheckouts: 0,
      pendingEvents: 0,
      oldestReportAt: null,
      openAttentionCount: 0,
    },
    webhooks: { verifiedAt: null, rejectedAt: null, rejectedCount: 0 },
    backups: { madeAt: null, failedAt: null },
    drills: { succeededAt: null, backupAt: null, seconds: null, failedAt: null, problem: null },
    books: { verifiedAt: null, differences: 0, providerDifferences: 0, providerComparedAt: null },
  });
});

test('jobs count while pending, and undeliverable emails for a week', async () => {
  const queues = await openQueues(db, log, QUEUED_JOBS);
  onTestFinished(() => queues.stop());
  expect((await readFigures(db, now())).jobs).toEqual(NO_JOBS);
  await inTransaction(db, async (tx) => {
    for (const receiptNumber of [1, 2, 3, 4]) {
      await queues.enqueue(tx, sendReceiptEmail, { orgId: 'sample', receiptNumber, mailingId: 'first' });
    }
    await queues.enqueue(tx, finishSignUp, { signUpId: 'later' }, new Date('2100-01-01'));
    await queues.enqueue(tx, removePicture, { key: 'a' });
    await queues.enqueue(tx, removePicture, { key: 'b' });
  });
  const updateJobs = (condition: string, set: string) =>
    sql`update pgboss.job set ${sql.raw(set)} where ${sql.raw(condition)}`.execute(db.kysely);
  const matchReceipt = (number: number) => `data ->> 'receiptNumber' = '${number}'`;
  await updateJobs(matchReceipt(1), `state = 'failed', completed_on = '2026-03-10T00:00Z'`);
  await updateJobs(
    matchReceipt(2),
    `state = 'completed', completed_on = '2026-03-11T00:00Z', output = '{"error":"EmailRejectedError","code":"550"}'`,
  );
  await updateJobs(matchReceipt(3), `state = 'completed', completed_on = '2026-03-12T00:00Z'`);
  // The job failed and will be tried again.
  await updateJobs(matchReceipt(4), `state = 'retry', created_on = '2026-03-09T00:00Z', start_after = '2100-01-01'`);
  await updateJobs(`data ->> 'key' = 'a'`, `state = 'failed', completed_on = '2026-03-12T00:00Z'`);
  expect((await readFigures(db, now())).jobs).toEqual({
    pendingCount: 2,
    oldestAt: new Date('2026-03-09T00:00Z'),
    oldestName: 'send-receipt-email',
    failedEmailCount: 2,
    lastEmailFailedAt: new Date('2026-03-11T00:00Z'),
  });
});

test('a checkout is overdue once the provider should have settled it', async () => {
  const orgId = await addOrg(db);
  const addCheckoutOfAge = (id: string, age: number, payment_status: 'unpaid' | 'processing' | 'expired') =>
    addCheckout(db, orgId, { id, payment_status, created_at: timeAgo(age), provider_session_id: `cs_${id}` });
  await addCheckoutOfAge('open', DAY, 'unpaid');
  await addCheckoutOfAge('abandoned', DAY + 3 * HOUR, 'unpaid');
  await addCheckoutOfAge('over', 9 * DAY, 'expired');
  await addCheckoutOfAge('debit', 9 * DAY, 'processing');
  await addCheckout(db, orgId, { created_at: timeAgo(9 * DAY) });
  await addAttentionItem(db, orgId);
  await addAttentionItem(db, orgId, { resolved_at: now() });
  expect((await readFigures(db, now())).payments).toMatchObject({
    unsettledCheckouts: 3,
    overdueCheckouts: 1,
    openAttentionCount: 1,
  });
});

test('the last successful restore drill is shown along with a later failed one', async () => {
  const readDrills = async () => (await readFigures(db, now())).drills;
  const backupAt = timeAgo(3 * DAY).toISOString();
  const drill = { backup: '/backups/one.backup', backupAt, seconds: 40, problem: null };
  await recordDrill(db, drill, timeAgo(2 * DAY));
  const successfulDrill = { succeededAt: timeAgo(2 * DAY), backupAt: timeAgo(3 * DAY), seconds: 40 };
  expect(await readDrills()).toEqual({ ...successfulDrill, failedAt: null, problem: null });
  await recordDrill(db, { ...drill, backupAt: null, problem: 'x'.repeat(5000) }, timeAgo(DAY));
  expect(await readDrills()).toEqual({ ...successfulDrill, failedAt: timeAgo(DAY), problem: 'x'.repeat(1000) });
  await recordDrill(db, { ...drill, backupAt: null }, now());
  expect(await readDrills()).toEqual({
    succeededAt: now(),
    backupAt: null,
    seconds: 40,
    failedAt: null,
    problem: null,
  });
});

test('the books are verified once a night', async () => {
  expect(getLastScheduledTime(new Date('2026-03-14T07:59:59Z'))).toEqual(new Date('2026-03-13T08:00:00Z'));
  expect(getLastScheduledTime(new Date('2026-03-14T08:00:00Z'))).toEqual(new Date('2026-03-14T08:00:00Z'));
  const readVerifiedAt = async () => (await readFigures(db, now())).books.verifiedAt;
  await verifyBooksNightly(verifyDeps, now(), log);
  expect(await readVerifiedAt()).toEqual(now());
  await verifyBooksNightly(verifyDeps, new Date(now().getTime() + 12 * HOUR), log);
  expect(await readVerifiedAt()).toEqual(now());
  const nextNight = new Date(now().getTime() + DAY);
  const orgId = await addOrg(db);
  await db.kysely.insertInto('ledger_totals').values({ org_id: orgId, amount_cents: 1 }).execute();
  await verifyBooksNightly(verifyDeps, nextNight, log);
  const { books } = await readFigures(db, nextNight);
  expect(books).toEqual({
    verifiedAt: nextNight,
    differences: expect.any(Number),
    providerDifferences: 0,
    providerComparedAt: null,
  });
  expect(books.differences).toBeGreaterThan(0);
  expect(takeNewLogEntries()).toEqual([expect.stringContaining('the books do not add up')]);
});

test('a failed comparison with the provider is repeated an hour later, and a successful one the next night', async () => {
  const night = Date.parse('2026-04-02T08:00:00Z');
  const timeAt = (hours: number) => new Date(night + hours * HOUR);
  const listMovements = vi.fn(async (): Promise<'complete' | Failure> => new Failure('payment-unavailable'));
  const compareAt = (hours: number) =>
    runNightlyComparison({ ...verifyDeps, payments: { ...unreachableProvider, listMovements } }, timeAt(hours), log);
  await compareAt(0);
  expect(takeNewLogEntries()).toEqual(['the books could not be compared with the payment provider']);
  listMovements.mockResolvedValue('complete');
  for (const hours of [1, 2, 23]) await compareAt(hours);
  expect((await readFigures(db, timeAt(23))).books.providerComparedAt).toEqual(timeAt(1));
  await compareAt(24);
  expect((await readFigures(db, timeAt(24))).books.providerComparedAt).toEqual(timeAt(24));
  expect(listMovements).toHaveBeenCalledTimes(3);
});

test('reports with a wrong signature are counted and logged hourly', async () => {
  const clock = createTestClock();
  const monitor = createWebhookMonitor({ db, now: clock.now }, log);
  const readWebhookFigures = async () => (await readFigures(db, clock.now())).webhooks;
  monitor.recordVerified();
  await expect.poll(readWebhookFigures).toEqual({ verifiedAt: clock.now(), rejectedAt: null, rejectedCount: 0 });
  for (let count = 0; count < 500; count += 1) monitor.recordRejected();
  await expect.poll(readWebhookFigures).toMatchObject({ rejectedAt: clock.now(), rejectedCount: 1 });
  clock.advance(MINUTE);
  monitor.recordRejected();
  await expect.poll(readWebhookFigures).toMatchObject({ rejectedAt: clock.now(), rejectedCount: 501 });
  expect(takeNewLogEntries()).toEqual([expect.stringContaining("compare it with the webhook's signing secret")]);
  clock.advance(HOUR);
  monitor.recordRejected();
  await expect.poll(readWebhookFigures).toMatchObject({ rejectedCount: 502 });
  expect(takeNewLogEntries()).toHaveLength(1);
  clock.advance(HOUR);
  for (let count = 0; count < 2; count += 1) monitor.recordClockSkew();
  await expect.poll(readWebhookFigures).toMatchObject({ verifiedAt: clock.now(), rejectedCount: 502 });
  expect(takeNewLogEntries()).toEqual([expect.stringContaining("this machine's clock differs")]);
  expect([...(await readOperationEvents(db.kysely)).keys()].toSorted()).toEqual([
    'books-verified',
    'provider-agreed-test',
    'provider-compared-test',
    'webhook-rejected',
    'webhook-verified',
  ]);
});

test('a report that the provider can’t explain for an hour raises an alarm', async () => {
  const readFailingCheckNames = async () => {
    const failingAlarms = await readFailingChecks(db, now(), await readFigures(db, now()));
    return failingAlarms.map(({ name }) => name);
  };
  const event = { type: 'invoice.paid', outcome: 'pending', livemode: false, occurred_at: timeAgo(DAY) } as const;
  const add = (id: string, age: number, errors: number) =>
    db.kysely
      .insertInto('provider_events')
      .values({ ...event, id, created_at: timeAgo(age), errors })
      .execute();
  await add('evt_new', 59 * MINUTE, 0);
  await add('evt_failed', 2 * HOUR, 5);
  expect(await readFailingCheckNames()).not.toContain('events-waiting');
  await add('evt_waiting', 61 * MINUTE, 4);
  expect(await readFailingCheckNames()).toContain('events-waiting');
  await db.kysely.updateTable('provider_events').set({ outcome: 'recorded' }).execute();
  expect(await readFailingCheckNames()).not.toContain('events-waiting');
});

test('nights without a comparison with the provider raise an alarm once there are live payments', async () => {
  const nightsLater = (nights: number) => new Date(now().getTime() + nights * DAY);
  const readFailingCheckNames = async (time: Date) => {
    const failingAlarms = await readFailingChecks(db, time, await readFigures(db, time));
    return failingAlarms.map(({ name }) => name);
  };
  await addGift(db, await addOrg(db));
  expect(await readFailingCheckNames(nightsLater(4))).not.toContain('provider-uncompared');
  await setPaymentMode(db, true, log);
  await db.kysely.updateTable('payments').set({ livemode: true }).execute();
  const comparisonDeps = { ...verifyDeps, livemode: true };
  for (const night of [2, 3, 4]) await runNightlyComparison(comparisonDeps, nightsLater(night), log);
  expect(await readFailingCheckNames(nightsLater(2))).not.toContain('provider-uncompared');
  expect(await readFailingCheckNames(nightsLater(4))).toContain('provider-uncompared');
  const payments = { ...unreachableProvider, listMovements: async () => 'complete' as const };
  await runNightlyComparison({ ...comparisonDeps, payments }, nightsLater(5), log);
  expect(await readFailingCheckNames(nightsLater(5))).not.toContain('provider-uncompared');
});
