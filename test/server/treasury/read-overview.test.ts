// @spec 2.editor decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const { now } = createTestClock();
const deps = await createTestDeps(db, { now });
const app = await buildTestApp(deps);

async function createFund() {
  const orgId = await addOrg(db, { time_zone: 'UTC' });
  const edith = await signIn(deps, { editorOf: [orgId] });
  const fetchOverview = async (period?: string) =>
    (
      await call(app, 'readOverview', { params: { orgid: orgId }, as: edith, ...(period ? { query: { period } } : {}) })
    ).json<Overview>();
  type Kind = 'payment' | 'renewal' | 'refund' | 'check';
  const post = (kind: Kind, amount: number, carbon: number, at: string, livemode?: boolean) =>
    inTransaction(db, (tx) =>
      postEntry(tx, {
        orgId,
        kind,
        fact: `test:${orgId}:${kind}:${amount}:${at}`,
        amount,
        carbon,
        currency: 'usd',
        livemode,
        occurredAt: new Date(at),
      }),
    );
  return { orgid: orgId, fetchOverview, post };
}

test('gifts and pounds are summed by month and kind, including an empty month', async () => {
  const { fetchOverview, post } = await createFund();
  await post('payment', 2500, 100_000, '2026-01-31T23:59:59Z');
  await post('payment', 1000, 0, '2026-01-01T00:00:00Z');
  await post('renewal', 500, 0, '2026-03-01T00:00:00Z');
  await post('refund', -2500, -100_000, '2026-03-02T00:00:00Z');
  await post('check', 7777, 0, '2025-03-31T23:59:59Z');
  const { step, columns } = await fetchOverview();
  expect(step).toBe('month');
  expect(columns).toHaveLength(12);
  expect(columns.slice(-3)).toEqual([
    { start: '2026-01-01', kinds: { payment: { amount: 35, carbon: 10, entries: 2 } } },
    { start: '2026-02-01', kinds: {} },
    {
      start: '2026-03-01',
      kinds: { renewal: { amount: 5, carbon: 0, entries: 1 }, refund: { amount: -25, carbon: -10, entries: 1 } },
    },
  ]);
});

test('an all-time chart starts in the month of the first gift; shorter charts have days or weeks', async () => {
  const { fetchOverview, post } = await createFund();
  await post('check', 7777, 0, '2024-06-30T23:59:59Z');
  await post('payment', 100, 0, '2026-03-14T08:00:00Z');
  expect((await fetchOverview('all')).columns[0]).toMatchObject({
    start: '2024-06-01',
    kinds: { check: { amount: 77.77 } },
  });
  expect((await fetchOverview('month')).columns.at(-1)).toMatchObject({
    start: '2026-03-14',
    kinds: { payment: { amount: 1 } },
  });
  expect((await fetchOverview('quarter')).columns.at(-1)).toMatchObject({
    start: '2026-03-09',
    kinds: { payment: { entries: 1 } },
  });
});

test('an all-time chart of live payments doesn’t start with an earlier test payment', async () => {
  const { fetchOverview, post } = await createFund();
  await post('payment', 2500, 0, '2024-06-30T08:00:00Z', false);
  await post('payment', 100, 0, '2026-03-14T08:00:00Z', true);
  await sql`insert into payment_mode (livemode) values (true)`.execute(db.kysely);
  const { columns } = await fetchOverview('all');
  expect(columns[0]?.start).toBe('2025-04-01');
  expect(columns.at(-1)).toEqual({
    start: '2026-03-01',
    kinds: { payment: { amount: 1, carbon: 0, entries: 1 } },
  });
  await sql`delete from payment_mode`.execute(db.kysely);
});

/** Adds a paid checkout with an open or lost dispute. */
async function addDisputedGift(orgId: string, status: 'disputed' | 'lost') {
  const gift = await addGift(db, orgId, { payment_status: 'disputed' });
  await db.kysely.updateTable('payments').set({ status }).where('entry_id', '=', gift.ledgerEntryId).execute();
  return gift;
}

test('pending items are counted: debits, failures, disputes, checks, and stories', async () => {
  const { orgid: orgId, fetchOverview } = await createFund();
  const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000);
  await addCheckout(db, orgId, { payment_status: 'processing', created_at: daysAgo(3) });
  await addCheckout(db, orgId, { payment_status: 'processing', created_at: daysAgo(3), deleted_at: daysAgo(1) });
  await addCheckout(db, orgId, { payment_status: 'failed', created_at: daysAgo(29) });
  await addCheckout(db, orgId, { payment_status: 'failed', created_at: daysAgo(31) });
  // A lost dispute needs no action.
  await addDisputedGift(orgId, 'disputed');
  await addDisputedGift(orgId, 'lost');
  await addPledge(db, orgId, { amount_cents: 10_000 });
  await addPledge(db, orgId, { amount_cents: 2550 });
  await addPledge(db, orgId, { amount_cents: 99, status: 'withdrawn' });
  await addOffsetter(db, orgId, { status: 'draft' });
  await addOffsetter(db, orgId, { status: 'draft', shown_as: 'none' });
  await addOffsetter(db, orgId, { status: 'published' });
  await addCheckout(db, await addOrg(db), { payment_status: 'processing' });
  expect((await fetchOverview()).pendingCounts).toEqual({
    processing: 1,
    failed: 1,
    disputed: 1,
    pledges: 2,
    pledgedDollars: 125.5,
    suspiciousPledges: 0,
    stories: 1,
    attention: 0,
    contested: 0,
    receipts: 0,
    monthToClose: null,
  });
});

test('a dispute is counted once, and other contested payments apart from money that isn’t in the books', async () => {
  const { orgid: orgId, fetchOverview } = await createFund();
  const { checkoutId } = await addDisputedGift(orgId, 'disputed');
  await addAttentionItem(db, orgId, { reason: 'dispute', checkout_id: checkoutId });
  expect((await fetchOverview()).pendingCounts).toMatchObject({ disputed: 1, attention: 0, contested: 0 });
  const { checkoutId: suspectedId } = await addGift(db, orgId, {});
  await addAttentionItem(db, orgId, { reason: 'fraud-warning', checkout_id: suspectedId });
  await addAttentionItem(db, orgId, { reason: 'amount' });
  expect((await fetchOverview()).pendingCounts).toMatchObject({ disputed: 1, attention: 1, contested: 1 });
});

test('recent gifts are listed with names, and this month is compared with the same days last year', async () => {
  const { orgid, fetchOverview, post } = await createFund();
  await addGift(db, orgid, { display_name: 'Ada Giver' });
  await post('renewal', 1000, 0, '2026-03-01T00:00:00Z');
  await post('refund', -500, 0, '2026-03-02T00:00:00Z');
  await post('check', 700, 0, '2026-02-28T23:59:59Z');
  await post('payment', 4000, 0, '2025-03-01T00:00:00Z');
  await post('payment', 9900, 0, '2025-03-15T00:00:00Z');
  const { recentGifts, month, year } = await fetchOverview();
  expect(month).toEqual({ amount: 30, lastYear: 40 });
  const as = await signIn(deps, { editorOf: [orgid], role: 'reader' });
  for (const [period, amount] of [
    ['2026-03', month.amount],
    ['2026', year],
  ] as const) {
    const response = await call(app, 'readStatement', { params: { orgid }, query: { period }, as });
    expect(response.json<Statement>().given).toBe(amount);
  }
  expect(year).toBe(37);
  expect(recentGifts.map(({ kind, name, amount }) => [kind, name, amount])).toEqual([
    ['payment', 'Ada Giver', 25],
    ['renewal', null, 10],
    ['check', null, 7],
    ['payment', null, 99],
    ['payment', null, 40],
  ]);
});

test('open disputes are listed with donor, amount, and deadline, earliest first', async () => {
  const { orgid, fetchOverview } = await createFund();
  const addDispute = async (name: string, dueAt: string | null) => {
    const gift = await addGift(db, orgid, { display_name: name, payment_status: 'disputed' });
    await db.kysely
      .updateTable('payments')
      .set({ status: 'disputed' })
      .where('entry_id', '=', gift.ledgerEntryId)
      .execute();
    const attentionItem = {
      checkout_id: gift.checkoutId,
      reason: 'dispute',
      due_at: dueAt === null ? null : new Date(dueAt),
    };
    await addAttentionItem(db, orgid, attentionItem);
    return gift.checkoutId;
  };
  const laterGiftId = await addDispute('Lena Later', '2026-04-02T00:00:00Z');
  const undatedGiftId = await addDispute('Uma Unknown', null);
  const soonerGiftId = await addDispute('Sam Sooner', '2026-03-20T00:00:00Z');
  await addDisputedGift(orgid, 'lost');
  const { disputes } = await fetchOverview();
  expect(disputes.map(({ giftid, name, dueTimestamp }) => [giftid, name, dueTimestamp])).toEqual([
    [soonerGiftId, 'Sam Sooner', '2026-03-20T00:00:00.000Z'],
    [laterGiftId, 'Lena Later', '2026-04-02T00:00:00.000Z'],
    [undatedGiftId, 'Uma Unknown', null],
  ]);
  expect(disputes.every(({ amount }) => amount === 25)).toBe(true);
});
