// @spec 3.checkout 7.search-checkouts 9.page-sizes
import { expect, test } from 'vitest';
import { NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import type { CheckoutRecord, ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { CHECKOUT_GROUPS, PAYMENT_STATUSES } from '#domain/checkout.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);
const orgId = await addOrg(db);
const edith = await signIn(deps, { editorOf: [orgId] });

const requestSearch = (body: NonNullable<BodyInput<'searchCheckouts'>>, as = edith, targetOrg = orgId) =>
  call(app, 'searchCheckouts', { params: { orgid: targetOrg }, as, body });
async function search(body: NonNullable<BodyInput<'searchCheckouts'>>) {
  const response = await requestSearch(body);
  const next = response.headers[NEXT_CURSOR_HEADER];
  return {
    ids: response.json<ListedCheckout[]>().map(({ id }) => id),
    next: next === undefined ? undefined : String(next),
  };
}

const timeAtMinute = (count: number) => new Date(Date.UTC(2026, 2, 14, 9, count));
for (let count = 1; count <= 25; count += 1) {
  await addCheckout(db, orgId, { id: `paged-${String(count).padStart(2, '0')}`, created_at: timeAtMinute(count) });
}
const pagedIds = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `paged-${String(from - index).padStart(2, '0')}`);
/** The checkouts of the paging test are older than those of other tests. */
const PAGED_QUERY = { to: '2026-03-14' } as const;

test('25 checkouts page forward and back, 10 per page, in list order', async () => {
  const first = await search(PAGED_QUERY);
  expect(first).toEqual({ ids: pagedIds(25, 16), next: 'paged-16' });
  const second = await search({ ...PAGED_QUERY, cursorRef: 'paged-16' });
  expect(second).toEqual({ ids: pagedIds(15, 6), next: 'paged-06' });
  expect(await search({ ...PAGED_QUERY, cursorRef: 'paged-06' })).toEqual({ ids: pagedIds(5, 1), next: undefined });
  expect(await search({ ...PAGED_QUERY, cursorRef: 'paged-05', isNext: false })).toEqual({
    ids: pagedIds(15, 6),
    next: 'paged-15',
  });
  expect(await search({ ...PAGED_QUERY, cursorRef: 'paged-15', isNext: false })).toEqual({
    ids: pagedIds(25, 16),
    next: undefined,
  });
  expect((await search({ ...PAGED_QUERY, order: 'asc', max: 2 })).ids).toEqual(['paged-01', 'paged-02']);
});

test('an unknown cursor or another organization’s cursor is rejected', async () => {
  expect(readOutcome(await requestSearch({ cursorRef: 'nothing' }))).toEqual([400, 'unknown-cursor']);
  const otherCheckout = await addCheckout(db, await addOrg(db));
  expect(readOutcome(await requestSearch({ cursorRef: otherCheckout }))).toEqual([400, 'unknown-cursor']);
});

await addCheckout(db, orgId, {
  id: 'ada-checkout-id',
  display_name: 'Ada Lovelace-King',
  email: 'Ada.King@Example.org',
  total_cents: 123_450,
  payment_status: 'paid',
  provider_session_id: 'cs_test_ada_1',
  provider_payment_id: 'pi_ada_1',
  provider_subscription_id: 'sub_ada_1',
  created_at: new Date('2026-05-02T03:59:59.999Z'),
});
await addCheckout(db, orgId, {
  id: 'emile-checkout-id',
  display_name: 'Émile Zola_100%',
  email: 'zola@example.org',
  payment_status: 'disputed',
  created_at: new Date('2026-05-02T04:00:00.000Z'),
});

test.each([
  ['Ada'],
  ['ada lov'],
  ['king'],
  ['lovelace-k'],
  ['ada.king@example.org'],
  ['ADA.KING@EXAMPLE.ORG'],
  ['ada.king@ex'],
  ['1234.50'],
  ['$1,234.50'],
  ['ada-checkout-id'],
  ['cs_test_ada_1'],
  ['pi_ada_1'],
  ['sub_ada_1'],
])('a search for %j finds only Ada’s checkout', async (query) => {
  expect((await search({ query })).ids).toEqual(['ada-checkout-id']);
});

test.each([{ cursorRef: null }, { cursorRef: '' }])('%o requests the first page', async (cursor) => {
  expect(await search({ ...PAGED_QUERY, ...cursor })).toEqual(await search(PAGED_QUERY));
});

test.each([['zola'], ['Émile'], ['zola_100%']])('a search for %j finds only Émile’s checkout', async (query) => {
  expect((await search({ query })).ids).toEqual(['emile-checkout-id']);
});

test.each([
  ['dove'],
  ['lov ada x'],
  ['%'],
  ['_'],
  ["' or true --"],
  ['& | !'],
  ["'):*"],
  ['\\'],
  ['1234.51'],
  ['ada@example.org'],
])('a search for %j finds nothing', async (query) => {
  expect((await search({ query })).ids).toEqual([]);
});

test('status and dates narrow a search, including the first and last day', async () => {
  expect((await search({ status: 'disputed' })).ids).toEqual(['emile-checkout-id']);
  expect((await search({ query: 'example', status: 'paid' })).ids).toEqual(['ada-checkout-id']);
  expect((await search({ from: '2026-05-01', to: '2026-05-01' })).ids).toEqual(['ada-checkout-id']);
  expect((await search({ from: '2026-05-02' })).ids).toEqual(['emile-checkout-id']);
  expect(readOutcome(await requestSearch({ from: '2026-05-02', to: '2026-05-01' }))).toEqual([
    422,
    'days-out-of-order',
  ]);
  expect(readOutcome(await requestSearch({ from: '2026-02-30' }))).toEqual([400, 'invalid-input']);
});

test('paid checkouts and unpaid attempts are separate groups in every search', async () => {
  expect((await search({ group: 'received' })).ids).toEqual(['emile-checkout-id', 'ada-checkout-id']);
  expect((await search({ group: 'attempts', max: 3 })).ids).toEqual(pagedIds(25, 23));
  expect((await search({ group: 'attempts', query: 'Ada' })).ids).toEqual([]);
  const sums = await call(app, 'sumCheckouts', { params: { orgid: orgId }, as: edith, body: { group: 'received' } });
  expect(sums.json()).toMatchObject({ checkouts: 2 });
});

test('every status belongs to a payment or an attempt', () => {
  expect([...CHECKOUT_GROUPS.received, ...CHECKOUT_GROUPS.attempts].toSorted()).toEqual(PAYMENT_STATUSES.toSorted());
});

test('editors see the payer and the ids of the story and account, if any', async () => {
  const [listedCheckout] = (await requestSearch({ query: 'Ada' })).json<ListedCheckout[]>();
  expect(listedCheckout).toEqual({
    id: 'ada-checkout-id',
    cart: [expect.objectContaining({ title: 'Donation' })],
    total: 1234.5,
    paymentStatus: 'paid',
    refunded: 0,
    completed: false,
    coveredFee: 0,
    displayName: 'Ada Lovelace-King',
    email: 'Ada.King@Example.org',
    offsetterId: null,
    userId: null,
    createdTimestamp: '2026-05-02T03:59:59.999Z',
  });
  const fundId = await addOrg(db);
  const as = await signIn(deps, { editorOf: [fundId] });
  const { userId } = await signIn(deps);
  const offsetterId = await addOffsetter(db, fundId, { user_id: userId });
  await addCheckout(db, fundId, { user_id: userId, offsetter_id: offsetterId });
  expect((await requestSearch({}, as, fundId)).json()).toEqual([expect.objectContaining({ offsetterId, userId })]);
});

test('an editor of another organization can’t search this one’s checkouts', async () => {
  const otherOrg = await addOrg(db);
  const otherEditor = await signIn(deps, { editorOf: [otherOrg] });
  expect(readOutcome(await requestSearch({}, otherEditor))).toEqual([403, 'forbidden']);
  const admin = await signIn(deps, { admin: true });
  expect(readOutcome(await requestSearch({}, admin))).toEqual([403, 'forbidden']);
  expect((await requestSearch({ query: 'Ada' }, otherEditor, otherOrg)).json()).toEqual([]);
  expect((await requestSearch({ query: 'pi_ada_1' }, otherEditor, otherOrg)).json()).toEqual([]);
});

test('a history starts with the opening, although the provider’s times have no milliseconds', async () => {
  const fundId = await addOrg(db);
  const { checkoutId } = await addGift(db, fundId, { created_at: new Date('2026-03-14T09:30:00.900Z') });
  const as = await signIn(deps, { editorOf: [fundId] });
  const response = await call(app, 'readCheckoutRecord', { params: { orgid: fundId, checkoutid: checkoutId }, as });
  const [first, second] = response.json<CheckoutRecord>().history;
  expect([first?.kind, second?.kind]).toEqual(['opened', 'entry']);
});

test('a dispute in the same second as its payment is listed after the payment', async () => {
  const fundId = await addOrg(db);
  const { checkoutId } = await addGift(db, fundId, { created_at: new Date('2026-03-14T09:29:00Z') });
  await db.kysely
    .insertInto('provider_events')
    .values({
      id: `evt_${checkoutId}`,
      type: 'charge.dispute.funds_withdrawn',
      outcome: 'recorded',
      livemode: false,
      payload: '{}',
      checkout_id: checkoutId,
      occurred_at: new Date('2026-03-14T09:30:00Z'),
    })
    .execute();
  const as = await signIn(deps, { editorOf: [fundId] });
  const response = await call(app, 'readCheckoutRecord', { params: { orgid: fundId, checkoutid: checkoutId }, as });
  const { history } = response.json<CheckoutRecord>();
  expect(history.map(({ kind }) => kind)).toEqual(['opened', 'entry', 'receipt', 'report']);
});
