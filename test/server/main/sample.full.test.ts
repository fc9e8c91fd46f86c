import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sumAllocation } from '#domain/allocation.ts';
import { DAY_MS } from '#domain/days.ts';
import { GRANT_STAGES } from '#domain/grant.ts';
import { samplePeople } from '#scripts/sample/sample-data.ts';
import { seedSample } from '#scripts/sample/seed-sample.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import { announceHomes } from '#server/features/allocation/send-grant-email.job.ts';
import { readAvailableFunds, readGrants } from '#server/features/grants/read-grants.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const db = await createTestDatabase();

test('of two programs starting on an empty database, one creates the sample and the other uses it', async () => {
  const photoKeys = new Set<string>();
  const pictures = {
    store: async () => {
      const key = `picture-${photoKeys.size}-${photoKeys.size + 1}`;
      photoKeys.add(key);
      return { key, width: 320, height: 240, widths: [320] };
    },
    open: async () => undefined,
    remove: async (key: string) => void photoKeys.delete(key),
    discard: async () => {},
  };
  const deps = await createTestDeps(db, { pictures });
  await Promise.all([seedSample(deps), seedSample(deps)]);
  const photos = (await db.kysely.selectFrom('offsetters').select('photo').execute()).map(({ photo }) => photo?.key);
  expect(await db.kysely.selectFrom('orgs').select('id').execute()).toEqual([{ id: 'sample' }]);
  expect(photos.length).toBeGreaterThan(5);
  for (const key of photos) expect(photoKeys).toContain(key);
  const { count } = await db.kysely
    .selectFrom('awardees')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const installers = await db.kysely.selectFrom('installers').select('id').execute();
  // The other program removed its own pictures.
  expect(photoKeys.size).toBe(photos.length + count + installers.length + samplePeople.length);
}, 60_000);

test('the sample’s books balance, and no date is in the future', async () => {
  expect(await verifyLedger(db)).toEqual([]);
  const { rows: kinds } = await sql<{ kind: string }>`
    select distinct kind from ledger_entries where org_id = 'sample' order by kind`.execute(db.kysely);
  expect(kinds.map(({ kind }) => kind)).toEqual(
    ['check', 'promise', 'fee', 'grant', 'payment', 'payout', 'refund', 'renewal'].toSorted(),
  );
  const { rows: days } = await sql<{ late: number }>`
    select count(*) as late from ledger_entries where org_id = 'sample' and occurred_at > now()`.execute(db.kysely);
  expect(days).toEqual([{ late: 0 }]);
  const { rows: unsentReceipts } =
    await sql`select from receipts where org_id = 'sample' and delivery <> 'sent'`.execute(db.kysely);
  expect(unsentReceipts).toEqual([]);
});

test('each sample receipt is issued within a day of its gift and before any refund', async () => {
  const { rows } = await sql`
    select r.number from receipts r join ledger_entries e on e.id = r.ledger_entry_id
      left join payment_returns back on back.entry_id = e.id
    where r.org_id = 'sample' and (r.issued_at not between e.occurred_at and e.occurred_at + interval '1 day'
      or r.issued_at > back.occurred_at)`.execute(db.kysely);
  expect(rows).toEqual([]);
});

test('sample grants cover every state, leave money available, and match the totals', async () => {
  const { items } = await readGrants(db, 'sample', { max: 50, order: 'desc', startAt: false });
  expect(new Set(items.map(({ stage }) => stage))).toEqual(new Set(GRANT_STAGES));
  expect(items.filter(({ otherFunding }) => otherFunding > 0)).toHaveLength(1);
  const { available, promised, processorBalance, grantCountSource } = await readAvailableFunds(db, 'sample');
  expect(available).toBeGreaterThan(0);
  expect(promised).toBeGreaterThan(0);
  // Grants are paid from the bank account.
  expect(available + promised).toBeGreaterThan(processorBalance);
  expect(grantCountSource).toBe('grants');
  expect((await readOrgStats(db, 'sample')).grants).toBe(items.filter(({ paid }) => paid !== null).length);
});

test('most sample gifts are fully allocated, one partly, and homes cover all purchased pounds', async () => {
  const { allocation } = await readAllocation(db, 'sample');
  const { gifts, grants } = allocation;
  expect(gifts.length).toBeGreaterThan(200);
  expect(grants.every(({ unfundedCents }) => unfundedCents === 0)).toBe(true);
  const allocatedGifts = gifts.filter(({ parts, unallocatedCents }) => parts.length > 0 && unallocatedCents === 0);
  expect(allocatedGifts.length).toBeGreaterThan(gifts.length / 2);
  expect(gifts.filter(({ parts, unallocatedCents }) => parts.length > 0 && unallocatedCents > 0)).toHaveLength(1);
  expect(gifts.some(({ parts, unallocatedCents }) => parts.length === 0 && unallocatedCents > 0)).toBe(true);
  // The gift was refunded in full.
  expect(gifts.filter(({ cents }) => cents === 0)).toHaveLength(1);
  expect(sumAllocation(allocation).shortfallPounds).toBe(0);
});

test('sample donors are fictional, so no home email is sent', async () => {
  const { now } = await createTestDeps(db);
  const queuedJobs: unknown[] = [];
  const jobs = { enqueue: async (...job: unknown[]) => void queuedJobs.push(job) };
  await announceHomes({ db, now: () => new Date(now().getTime() + 2 * DAY_MS), jobs, log: createLogSpy().log });
  expect(queuedJobs).toEqual([]);
  const emails = await db.kysely.selectFrom('grant_emails').select('status').execute();
  expect(emails.length).toBeGreaterThan(100);
  expect(new Set(emails.map(({ status }) => status))).toEqual(new Set(['sent']));
});

test('a second start adds no data', async () => {
  const countRows = () =>
    sql`select (select count(*) from ledger_entries), (select count(*) from grants), (select count(*) from awardees)`
      .execute(db.kysely)
      .then(({ rows }) => rows);
  const initialCounts = await countRows();
  await seedSample(await createTestDeps(db));
  expect(await countRows()).toEqual(initialCounts);
});
