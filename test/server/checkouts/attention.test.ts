// @spec decisions.3
import { expect, test } from 'vitest';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { addAttentionItem as insertOnce } from '#server/features/attention/attention.store.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { admin: true });

async function fund() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { editorOf: [orgid], name: 'Edith Editor' }) };
}
type Fund = Awaited<ReturnType<typeof fund>>;

const allOf = async ({ orgid, edith }: Fund) =>
  (await call(app, 'readAttention', { params: { orgid }, as: edith })).json<AttentionItem[]>();
const listOf = async (here: Fund) => (await allOf(here)).filter(({ settled }) => settled === null);
const settle = ({ orgid, edith }: Fund, itemid: string, note: unknown, as: SignedInPerson = edith) =>
  call(app, 'settleAttention', { params: { orgid, itemid }, as, body: { note } });
const allStray = async () => (await call(app, 'readStrayAttention', { params: {}, as: admin })).json<AttentionItem[]>();
const stray = async () => (await allStray()).filter(({ settled }) => settled === null);
const rowOf = (id: string) =>
  db.kysely.selectFrom('attention_items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('attention lists the oldest first, with amount, reason, and checkout if there is one', async () => {
  const testFund = await fund();
  const otherFund = await fund();
  const checkoutId = await addCheckout(db, testFund.orgid);
  const deletedCheckout = await addCheckout(db, testFund.orgid, { deleted_at: clock.now() });
  const elsewhere = await addCheckout(db, otherFund.orgid);
  const createdOn = (day: number) => ({ created_at: new Date(Date.UTC(2026, 2, day)) });
  await addAttentionItem(db, testFund.orgid, { id: 'third', ...createdOn(3), checkout_id: elsewhere });
  await addAttentionItem(db, testFund.orgid, {
    id: 'second',
    ...createdOn(2),
    checkout_id: deletedCheckout,
    settled_at: null,
  });
  const euros = { subject: 'session:cs_of_euros', reason: 'currency', amount_cents: 512, currency: 'eur' };
  await addAttentionItem(db, testFund.orgid, {
    id: 'first',
    ...createdOn(1),
    ...euros,
    checkout_id: checkoutId,
    livemode: true,
  });
  await addAttentionItem(db, testFund.orgid, { id: 'settled', settled_at: clock.now() });
  await addAttentionItem(db, otherFund.orgid);
  const items = await listOf(testFund);
  expect(items.map(({ id, checkoutid }) => [id, checkoutid])).toEqual([
    ['first', checkoutId],
    ['second', null],
    ['third', null],
  ]);
  expect(items[0]).toEqual({
    id: 'first',
    amount: 512,
    currency: 'eur',
    livemode: true,
    reason: 'currency',
    providerId: 'cs_of_euros',
    checkoutid: checkoutId,
    occurredTimestamp: '2026-03-14T09:30:00.000Z',
    dueTimestamp: null,
    settled: null,
  });
  expect((await allOf(testFund)).at(-1)).toMatchObject({ id: 'settled' });
  const overview = await call(app, 'readOverview', { params: { orgid: testFund.orgid }, as: testFund.edith });
  expect(overview.json<Overview>().waiting.attention).toBe(3);
});

test('resolving removes a payment from the list and keeps note, author, and time; repeating changes nothing', async () => {
  const testFund = await fund();
  const id = await addAttentionItem(db, testFund.orgid);
  expect(outcomeOf(await settle(testFund, id, '  Refunded at the card processor  '))).toEqual([200]);
  const settledRow = await rowOf(id);
  expect(settledRow).toMatchObject({
    note: 'Refunded at the card processor',
    settled_by: testFund.edith.userId,
    settled_at: clock.now(),
  });
  expect(await allOf(testFund)).toMatchObject([
    {
      id,
      settled: { note: 'Refunded at the card processor', by: 'Edith Editor', timestamp: clock.now().toISOString() },
    },
  ]);
  clock.pass(1000);
  expect(outcomeOf(await settle(testFund, id, 'Refunded at the card processor'))).toEqual([200]);
  expect(outcomeOf(await settle(testFund, id, 'Something else'))).toEqual([409, 'attention-settled']);
  const otherEditor = await signIn(deps, { editorOf: [testFund.orgid] });
  expect(outcomeOf(await settle(testFund, id, 'Refunded at the card processor', otherEditor))).toEqual([
    409,
    'attention-settled',
  ]);
  expect(await rowOf(id)).toEqual(settledRow);
});

test('of two editors who resolve simultaneously, the second gets a conflict', async () => {
  const testFund = await fund();
  const otherEditor = await signIn(deps, { editorOf: [testFund.orgid] });
  const id = await addAttentionItem(db, testFund.orgid);
  const responses = await Promise.all([
    settle(testFund, id, 'Refunded'),
    settle(testFund, id, 'Called the donor', otherEditor),
  ]);
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
});

test.each([
  ['', 'note-too-short'],
  ['  ok  ', 'note-too-short'],
  ['x'.repeat(501), 'note-too-long'],
])('a note of %j is rejected, and the payment stays listed', async (note, code) => {
  const testFund = await fund();
  const id = await addAttentionItem(db, testFund.orgid);
  const response = await settle(testFund, id, note);
  expect(outcomeOf(response)).toEqual([422, code]);
  expect(response.json<{ field: string }>().field).toBe('note');
  expect(await listOf(testFund)).toHaveLength(1);
});

test('notes of three and of five hundred characters are accepted', async () => {
  const testFund = await fund();
  for (const note of ['yes', 'x'.repeat(500)])
    expect(outcomeOf(await settle(testFund, await addAttentionItem(db, testFund.orgid), note))).toEqual([200]);
});

test('only admins see and resolve payments without an organization, and not through one', async () => {
  const testFund = await fund();
  const id = await addAttentionItem(db, null, { checkout_id: 'unknown' });
  const ofFund = await addAttentionItem(db, testFund.orgid);
  expect((await stray()).map((item) => item.id)).toEqual([id]);
  expect(await listOf(testFund)).toHaveLength(1);
  const note = 'Belongs to another program';
  expect(outcomeOf(await settle(testFund, id, note))).toEqual([404, 'attention-not-found']);
  const settleStray = (itemid: string) =>
    call(app, 'settleStrayAttention', { params: { itemid }, as: admin, body: { note } });
  expect(outcomeOf(await settleStray(ofFund))).toEqual([404, 'attention-not-found']);
  expect(outcomeOf(await settleStray(id))).toEqual([200]);
  expect(await rowOf(id)).toMatchObject({ note, settled_by: admin.userId });
  expect(await stray()).toEqual([]);
  expect(await allStray()).toMatchObject([{ id, settled: { note } }]);
});

test('a resolved payment isn’t listed again when it’s reported again', async () => {
  const testFund = await fund();
  const id = await addAttentionItem(db, testFund.orgid, { subject: 'session:cs_again' });
  await settle(testFund, id, 'Refunded');
  await inTransaction(db, (tx) =>
    insertOnce(tx, {
      subject: 'session:cs_again',
      reason: 'amount',
      orgId: testFund.orgid,
      amount: 2500,
      currency: 'usd',
      livemode: false,
      occurredAt: clock.now(),
    }),
  );
  expect(await listOf(testFund)).toEqual([]);
});

test('a dispute of a payment that isn’t in the books needs attention until it’s won', async () => {
  const { orgid } = await fund();
  const disputes = (status: 'open' | 'won') => [
    { disputeId: 'du_1', amount: 2500, at: clock.now(), status, movements: [] },
  ];
  const report = (status: 'open' | 'won') => {
    const charge = {
      chargeId: 'ch_unknown',
      intentId: undefined,
      invoiceId: undefined,
      chargedAt: clock.now(),
      settlement: undefined,
    };
    const marks = { origin: 'ours', orgId: orgid, checkoutId: undefined } as const;
    const money = { amount: 2500, currency: 'usd', livemode: false };
    const readCharge = async () => ({ ...marks, ...money, charge, refunds: [], disputes: disputes(status) });
    return recordCharge({ ...deps, payments: { ...deps.payments, readCharge } }, 'ch_unknown');
  };
  const item = () =>
    db.kysely
      .selectFrom('attention_items')
      .select(['amount_cents', 'note'])
      .where('subject', '=', 'charge:ch_unknown')
      .executeTakeFirst();
  expect(await report('open')).toMatchObject({ outcome: 'attention' });
  expect(await item()).toEqual({ amount_cents: 2500, note: null });
  expect(await report('won')).toEqual({ outcome: 'ignored' });
  expect(await item()).toEqual({ amount_cents: 2500, note: 'The money was returned.' });
});
