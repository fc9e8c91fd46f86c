// @spec decisions.3
import { expect, test } from 'vitest';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { APPLIED_LATER_NOTE } from '#domain/attention.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertAttentionItem, isResolvedOutsideBooks } from '#server/features/attention/attention.store.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { admin: true });

async function createFund() {
  const orgId = await addOrg(db);
  return { orgId, edith: await signIn(deps, { editorOf: [orgId], name: 'Edith Editor' }) };
}
type Fund = Awaited<ReturnType<typeof createFund>>;

const readAttention = async ({ orgId, edith }: Fund) =>
  (await call(app, 'readAttention', { params: { orgid: orgId }, as: edith })).json<AttentionItem[]>();
const readOpenAttention = async (fund: Fund) =>
  (await readAttention(fund)).filter(({ resolution }) => resolution === null);
const resolveItem = ({ orgId, edith }: Fund, itemid: string, note: unknown, as: SignedInPerson = edith) =>
  call(app, 'resolveAttention', { params: { orgid: orgId, itemid }, as, body: { note } });
const readUnassigned = async () =>
  (await call(app, 'readUnassignedAttention', { params: {}, as: admin })).json<AttentionItem[]>();
const readOpenUnassigned = async () => (await readUnassigned()).filter(({ resolution }) => resolution === null);
const readRow = (id: string) =>
  db.kysely.selectFrom('attention_items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('lists items oldest first, with amount, reason, and checkout (if any)', async () => {
  const testFund = await createFund();
  const otherFund = await createFund();
  const checkoutId = await addCheckout(db, testFund.orgId, { display_name: 'Paula Payer' });
  const deletedCheckout = await addCheckout(db, testFund.orgId, { deleted_at: clock.now() });
  const otherCheckout = await addCheckout(db, otherFund.orgId);
  const creationDay = (day: number) => ({ created_at: new Date(Date.UTC(2026, 2, day)) });
  await addAttentionItem(db, testFund.orgId, { id: 'third', ...creationDay(3), checkout_id: otherCheckout });
  await addAttentionItem(db, testFund.orgId, {
    id: 'second',
    ...creationDay(2),
    checkout_id: deletedCheckout,
    resolved_at: null,
  });
  const euroColumns = { subject: 'session:cs_of_euros', reason: 'currency', amount_cents: 512, currency: 'eur' };
  await addAttentionItem(db, testFund.orgId, {
    id: 'first',
    ...creationDay(1),
    ...euroColumns,
    checkout_id: checkoutId,
    livemode: true,
  });
  await addAttentionItem(db, testFund.orgId, { id: 'resolved', resolved_at: clock.now() });
  await addAttentionItem(db, otherFund.orgId);
  const items = await readOpenAttention(testFund);
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
    payer: 'Paula Payer',
    occurredTimestamp: '2026-03-14T09:30:00.000Z',
    dueTimestamp: null,
    resolution: null,
  });
  expect((await readAttention(testFund)).at(-1)).toMatchObject({ id: 'resolved' });
  const overview = await call(app, 'readOverview', { params: { orgid: testFund.orgId }, as: testFund.edith });
  expect(overview.json<Overview>().pendingCounts.attention).toBe(3);
});

test('resolving removes a payment from the list and records note, author, and time; repeating it changes nothing', async () => {
  const testFund = await createFund();
  const id = await addAttentionItem(db, testFund.orgId);
  expect(readOutcome(await resolveItem(testFund, id, '  Refunded at the card processor  '))).toEqual([200]);
  const resolvedRow = await readRow(id);
  expect(resolvedRow).toMatchObject({
    note: 'Refunded at the card processor',
    resolution: 'manual',
    resolved_by: testFund.edith.userId,
    resolved_at: clock.now(),
  });
  expect(await readAttention(testFund)).toMatchObject([
    {
      id,
      resolution: { note: 'Refunded at the card processor', by: 'Edith Editor', timestamp: clock.now().toISOString() },
    },
  ]);
  clock.advance(1000);
  expect(readOutcome(await resolveItem(testFund, id, 'Refunded at the card processor'))).toEqual([200]);
  expect(readOutcome(await resolveItem(testFund, id, 'Something else'))).toEqual([409, 'attention-resolved']);
  const otherEditor = await signIn(deps, { editorOf: [testFund.orgId] });
  expect(readOutcome(await resolveItem(testFund, id, 'Refunded at the card processor', otherEditor))).toEqual([
    409,
    'attention-resolved',
  ]);
  expect(await readRow(id)).toEqual(resolvedRow);
});

test('a note with the words of an automatic one is still a manual resolution', async () => {
  const testFund = await createFund();
  const id = await addAttentionItem(db, testFund.orgId);
  expect(readOutcome(await resolveItem(testFund, id, APPLIED_LATER_NOTE))).toEqual([200]);
  const resolvedItems = db.kysely.selectFrom('attention_items').where(isResolvedOutsideBooks('attention_items'));
  expect(await resolvedItems.select('id').where('id', '=', id).execute()).toEqual([{ id }]);
});

test('the second of two editors who resolve an item at the same time gets a conflict', async () => {
  const testFund = await createFund();
  const otherEditor = await signIn(deps, { editorOf: [testFund.orgId] });
  const id = await addAttentionItem(db, testFund.orgId);
  const responses = await Promise.all([
    resolveItem(testFund, id, 'Refunded'),
    resolveItem(testFund, id, 'Called the donor', otherEditor),
  ]);
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
});

test.each([
  ['', 'note-too-short'],
  ['  ok  ', 'note-too-short'],
  ['x'.repeat(501), 'note-too-long'],
])('a note of %j is rejected, and the payment stays listed', async (note, code) => {
  const testFund = await createFund();
  const id = await addAttentionItem(db, testFund.orgId);
  const response = await resolveItem(testFund, id, note);
  expect(readOutcome(response)).toEqual([422, code]);
  expect(response.json<{ field: string }>().field).toBe('note');
  expect(await readOpenAttention(testFund)).toHaveLength(1);
});

test('accepts notes of 3 and 500 characters', async () => {
  const testFund = await createFund();
  for (const note of ['yes', 'x'.repeat(500)])
    expect(readOutcome(await resolveItem(testFund, await addAttentionItem(db, testFund.orgId), note))).toEqual([200]);
});

test('only admins can see and resolve unassigned payments, and only through the admin endpoint', async () => {
  const testFund = await createFund();
  const id = await addAttentionItem(db, null, { checkout_id: 'unknown' });
  const fundItem = await addAttentionItem(db, testFund.orgId);
  expect((await readOpenUnassigned()).map((item) => item.id)).toEqual([id]);
  expect(await readOpenAttention(testFund)).toHaveLength(1);
  const note = 'Belongs to another program';
  expect(readOutcome(await resolveItem(testFund, id, note))).toEqual([404, 'attention-not-found']);
  const resolveUnassigned = (itemid: string) =>
    call(app, 'resolveUnassignedAttention', { params: { itemid }, as: admin, body: { note } });
  expect(readOutcome(await resolveUnassigned(fundItem))).toEqual([404, 'attention-not-found']);
  expect(readOutcome(await resolveUnassigned(id))).toEqual([200]);
  expect(await readRow(id)).toMatchObject({ note, resolved_by: admin.userId });
  expect(await readOpenUnassigned()).toEqual([]);
  expect(await readUnassigned()).toMatchObject([{ id, resolution: { note } }]);
});

test('a resolved payment isn’t listed again when it’s reported again', async () => {
  const testFund = await createFund();
  const id = await addAttentionItem(db, testFund.orgId, { subject: 'session:cs_again' });
  await resolveItem(testFund, id, 'Refunded');
  await inTransaction(db, (tx) =>
    insertAttentionItem(tx, {
      subject: 'session:cs_again',
      reason: 'amount',
      orgId: testFund.orgId,
      amount: 2500,
      currency: 'usd',
      livemode: false,
      occurredAt: clock.now(),
    }),
  );
  expect(await readOpenAttention(testFund)).toEqual([]);
});

test('lists a dispute over an unrecorded payment until the dispute is won', async () => {
  const { orgId } = await createFund();
  const buildDisputes = (status: 'open' | 'won') => [
    { disputeId: 'du_1', amount: 2500, occurredAt: clock.now(), status, balanceChanges: [] },
  ];
  const reportDispute = (status: 'open' | 'won') => {
    const charge = {
      chargeId: 'ch_unknown',
      intentId: undefined,
      invoiceId: undefined,
      chargedAt: clock.now(),
      settlement: undefined,
    };
    const origin = { origin: 'ours', orgId, checkoutId: undefined } as const;
    const money = { amount: 2500, currency: 'usd', livemode: false };
    const readCharge = async () => ({ ...origin, ...money, charge, refunds: [], disputes: buildDisputes(status) });
    return recordCharge({ ...deps, payments: { ...deps.payments, readCharge } }, 'ch_unknown');
  };
  const readItem = () =>
    db.kysely
      .selectFrom('attention_items')
      .select(['amount_cents', 'resolution', 'note'])
      .where('subject', '=', 'charge:ch_unknown')
      .executeTakeFirst();
  expect(await reportDispute('open')).toMatchObject({ outcome: 'attention' });
  expect(await readItem()).toEqual({ amount_cents: 2500, resolution: null, note: null });
  expect(await reportDispute('won')).toEqual({ outcome: 'ignored' });
  expect(await readItem()).toEqual({ amount_cents: 2500, resolution: 'closed', note: 'The money was returned.' });
});
