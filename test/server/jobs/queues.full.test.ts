import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '#server/db/transaction.ts';
import { isUnreachable } from '#server/db/unavailable.ts';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { openQueues, type Queues } from '#server/jobs/queues.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

vi.setConfig({ testTimeout: 60_000 });
const db = await createTestDatabase();
/** Timeout for many or retried jobs, shorter than pg-boss's polling interval of a minute. */
const POLL_OPTIONS = { timeout: 50_000 };

const payload = z.object({ orgId: z.string(), receiptNumber: z.number() });

type HandlerDeps = { readonly handle: (receiptNumber: number, isLastAttempt: boolean) => Promise<void> };

const sendReceipt = defineJob({
  name: 'send-receipt',
  payload,
  run: ({ handle }: HandlerDeps, { receiptNumber }, { isLastAttempt }) => handle(receiptNumber, isLastAttempt),
});
const sendLater = defineJob({ name: 'send-later', delaySeconds: 30, payload, run: async () => {} });

type TestQueues = Queues<HandlerDeps>;

const queuesToStop: TestQueues[] = [];
afterEach(async () => {
  for (const queues of queuesToStop.splice(0)) await queues.stop();
});

async function openTestQueues(database = db): Promise<{ queues: TestQueues; loggedProblems: readonly string[] }> {
  const { log, loggedProblems } = createLogSpy();
  const queues = await openQueues(database, log, [sendReceipt, sendLater]);
  queuesToStop.push(queues);
  return { queues, loggedProblems };
}

/** Records the receipt numbers. Fails if `shouldFail` returns true. */
function recordReceipts(
  receiptNumbers: number[],
  shouldFail: (attempts: number) => boolean = () => false,
): HandlerDeps {
  let attempts = 0;
  return {
    handle: async (receiptNumber) => {
      attempts += 1;
      if (shouldFail(attempts)) throw new Error('the mail server rejected somebody@example.org');
      receiptNumbers.push(receiptNumber);
    },
  };
}

function enqueue(queues: TestQueues, receiptNumber: number): Promise<void> {
  return inTransaction(db, (tx) => queues.enqueue(tx, sendReceipt, { orgId: 'sample', receiptNumber }));
}

async function readJobs(receiptNumber: number) {
  const { rows } = await sql<{ state: string; retry_count: number }>`
    select state::text, retry_count, priority, expire_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max,
      start_after <= now() as is_due
    from pgboss.job where data ->> 'receiptNumber' = ${String(receiptNumber)}`.execute(db.kysely);
  return rows;
}

test('a job with a delay becomes due later', async () => {
  const { queues } = await openTestQueues();
  const job = { orgId: 'sample', receiptNumber: 40 };
  await inTransaction(db, async (tx) => {
    await queues.enqueue(tx, sendLater, job);
    await queues.enqueueAll(tx, sendLater, [job]);
  });
  const { rows } = await sql<{ seconds: number }>`
    select round(extract(epoch from start_after - created_on))::int as seconds from pgboss.job
    where data ->> 'receiptNumber' = '40'`.execute(db.kysely);
  expect(rows).toEqual([{ seconds: 30 }, { seconds: 30 }]);
});

test('a job with a payload of the wrong shape fails before it runs', async () => {
  const { queues, loggedProblems } = await openTestQueues();
  const receiptNumbers: number[] = [];
  await queues.startWorkers(recordReceipts(receiptNumbers));
  const jobWithWrongPayload = { ...sendReceipt, payload: z.object({ receiptNumber: z.string() }) };
  await inTransaction(db, (tx) => queues.enqueue(tx, jobWithWrongPayload, { receiptNumber: '41' }));
  await expect.poll(() => readJobs(41)).toMatchObject([{ state: 'retry' }]);
  expect([receiptNumbers, loggedProblems]).toEqual([[], ['a job failed']]);
  await sql`delete from pgboss.job where data ->> 'receiptNumber' = '41'`.execute(db.kysely);
});

test('a job runs after the transaction that queued it', async () => {
  const { queues, loggedProblems } = await openTestQueues();
  const receiptNumbers: number[] = [];
  await enqueue(queues, 1);
  expect(receiptNumbers).toEqual([]);
  await queues.startWorkers(recordReceipts(receiptNumbers));
  await expect.poll(() => receiptNumbers).toEqual([1]);
  await expect.poll(() => readJobs(1)).toMatchObject([{ state: 'completed' }]);
  expect(loggedProblems).toEqual([]);
});

test('a job that finished during a database outage isn’t repeated', async () => {
  const { queues } = await openTestQueues();
  const receiptNumbers: number[] = [];
  await enqueue(queues, 30);
  await queues.startWorkers(recordReceipts(receiptNumbers));
  const expectCompleted = () => expect.poll(() => readJobs(30)).toMatchObject([{ state: 'completed' }]);
  await expectCompleted();
  // Simulates a job whose completion was not recorded.
  await sql`update pgboss.job set state = 'retry', start_after = now() where data ->> 'receiptNumber' = '30'`.execute(
    db.kysely,
  );
  await expectCompleted();
  expect(receiptNumbers).toEqual([30]);
});

test('queue errors during an outage are recognized, so they aren’t logged', async () => {
  const connectionError = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  let isLost = false;
  const pool = new Proxy(db.pool, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'connect' && isLost) return () => Promise.reject(connectionError);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const loggedErrors: unknown[] = [];
  const log = { ...createLogSpy().log, error: ({ err }: { readonly err: unknown }) => void loggedErrors.push(err) };
  const queues = await openQueues({ ...db, pool }, log, [sendReceipt]);
  queuesToStop.push(queues);
  isLost = true;
  await queues.startWorkers(recordReceipts([]));
  await expect.poll(() => loggedErrors.length).toBeGreaterThan(0);
  isLost = false;
  expect(loggedErrors.filter((error) => !isUnreachable(error))).toEqual([]);
});

test('a job in a rolled-back transaction is never queued', async () => {
  const { queues } = await openTestQueues();
  const transaction = inTransaction(db, async (tx) => {
    await queues.enqueue(tx, sendReceipt, { orgId: 'sample', receiptNumber: 2 });
    await queues.enqueueAll(tx, sendReceipt, [{ orgId: 'sample', receiptNumber: 2 }]);
    throw new Error('changed my mind');
  });
  await expect(transaction).rejects.toThrow('changed my mind');
  expect(await readJobs(2)).toEqual([]);
});

test('jobs queued together behave like jobs queued one by one', async () => {
  const { queues } = await openTestQueues();
  const numbers = [20, 21, 22];
  const jobs = numbers.map((receiptNumber) => ({ orgId: 'sample', receiptNumber }));
  await inTransaction(db, async (tx) => {
    await queues.enqueueAll(tx, sendReceipt, []);
    await queues.enqueueAll(tx, sendReceipt, jobs);
  });
  await enqueue(queues, 23);
  const singleJob = await readJobs(23);
  expect(singleJob).toHaveLength(1);
  for (const number of numbers) expect(await readJobs(number)).toEqual(singleJob);
  const receiptNumbers: number[] = [];
  await queues.startWorkers(recordReceipts(receiptNumbers));
  await expect.poll(() => receiptNumbers.toSorted((a, b) => a - b)).toEqual([...numbers, 23]);
});

test('transactions continue while jobs run, and each queues its own', async () => {
  const { queues } = await openTestQueues();
  const receiptNumbers: number[] = [];
  await queues.startWorkers(recordReceipts(receiptNumbers));
  const numbers = Array.from({ length: 30 }, (_, index) => 100 + index);
  await Promise.all(numbers.map((number) => enqueue(queues, number)));
  await expect.poll(() => [...receiptNumbers].sort((a, b) => a - b), POLL_OPTIONS).toEqual(numbers);
});

// @asvs 16.2.5
test('a failed job is retried later, and the log contains no names', async () => {
  const { queues, loggedProblems } = await openTestQueues();
  const receiptNumbers: number[] = [];
  await queues.startWorkers(recordReceipts(receiptNumbers, (attempts) => attempts === 1));
  await enqueue(queues, 3);
  await expect.poll(() => readJobs(3)).toMatchObject([{ state: 'retry' }]);
  expect(loggedProblems).toEqual(['a job failed']);
  await expect.poll(() => receiptNumbers, POLL_OPTIONS).toEqual([3]);
});

test('a permanently rejected email isn’t retried', async () => {
  const { queues, loggedProblems } = await openTestQueues();
  await queues.startWorkers({
    handle: async () => {
      throw new EmailRejectedError('550');
    },
  });
  await enqueue(queues, 5);
  await expect.poll(() => readJobs(5)).toMatchObject([{ state: 'completed' }]);
  expect(loggedProblems).toEqual(['an email was rejected permanently']);
});

test('unfinished jobs run after a restart', async () => {
  const first = await openTestQueues();
  await enqueue(first.queues, 4);
  await first.queues.stop();
  const second = await openTestQueues();
  const receiptNumbers: number[] = [];
  await second.queues.startWorkers(recordReceipts(receiptNumbers));
  await expect.poll(() => receiptNumbers).toEqual([4]);
});

test('changed queue options are applied to an existing queue at the next start', async () => {
  const first = await openTestQueues();
  await sql`update pgboss.queue set retry_limit = 1 where name = ${sendReceipt.name}`.execute(db.kysely);
  await first.queues.stop();
  const second = await openTestQueues();
  await enqueue(second.queues, 6);
  expect(await readJobs(6)).toMatchObject([{ retry_limit: 30 }]);
});

test('a job’s last attempt depends on its own retry limit', async () => {
  const { queues } = await openTestQueues();
  await enqueue(queues, 7);
  await sql`update pgboss.job set retry_limit = 0 where data ->> 'receiptNumber' = '7'`.execute(db.kysely);
  const attempts: boolean[] = [];
  await queues.startWorkers({
    handle: async (receiptNumber, isLastAttempt) => {
      if (receiptNumber === 7) attempts.push(isLastAttempt);
    },
  });
  await expect.poll(() => attempts).toEqual([true]);
});
