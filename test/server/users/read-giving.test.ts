// @spec 2.user-home decisions.4 decisions.5
import { expect, test } from 'vitest';
import type { Giving } from '#contract/schemas/users.ts';
import { checkLines } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { setPaymentMode } from '#server/features/ledger/payment-mode.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addCheck, addGift, MONTHLY_CART } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, DAY } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock('2026-03-15T12:00:00Z');
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });

async function readGiving(user: SignedInPerson): Promise<Giving> {
  const response = await call(app, 'readGiving', { params: { userid: user.userId }, as: user });
  expect(response.statusCode).toBe(200);
  return response.json();
}

test('My giving lists gifts made while logged in and gifts paid with the user’s address, in every organization', async () => {
  const user = await signIn(deps, { email: 'gina@example.org' });
  const otherOrgId = await addOrg(db, { name: 'Another Fund' });
  const giftWhileLoggedIn = await addGift(db, orgId, { user_id: user.userId, email: 'other-address@example.org' });
  const giftByAddress = await addGift(db, otherOrgId, { email: 'Gina@Example.ORG' });
  await addGift(db, orgId, { email: 'gina@example.com' });
  const { gifts } = await readGiving(user);
  expect(new Set(gifts.map(({ checkoutid }) => checkoutid))).toEqual(
    new Set([giftWhileLoggedIn.checkoutId, giftByAddress.checkoutId]),
  );
  expect(gifts.find(({ checkoutid }) => checkoutid === giftByAddress.checkoutId)).toMatchObject({
    orgid: otherOrgId,
    orgName: 'Another Fund',
    amount: 25,
    carbon: 0,
    cart: [{ title: 'Donation', cost: 25 }],
    recurring: false,
    paymentStatus: 'paid',
    receiptNumber: 1002,
    createdTimestamp: '2026-03-14T09:30:00.000Z',
  });
});

test('homes funded by gifts in all organizations are each listed once, largest amount first', async () => {
  const user = await signIn(deps);
  const [fundOrgId, otherFundOrgId] = [await addOrg(db), await addOrg(db)];
  await addGift(db, fundOrgId, { user_id: user.userId });
  await addGift(db, fundOrgId, { user_id: user.userId });
  await addGift(db, otherFundOrgId, { user_id: user.userId });
  for (const [grantOrgId, cents] of [
    [otherFundOrgId, 1000],
    [fundOrgId, 4000],
  ] as const) {
    const awardeeId = await addStory(db, 'awardees', grantOrgId, { name: `A home for ${cents} cents` });
    await addGrant(db, grantOrgId, { awardeeId, stage: 'paid', cents });
  }
  const { homes } = await readGiving(user);
  expect(homes.map(({ page, amount }) => [page?.name, amount])).toEqual([
    ['A home for 4000 cents', 40],
    ['A home for 1000 cents', 10],
  ]);
});

test('a gift that matches both account and address is listed once', async () => {
  const user = await signIn(deps, { email: 'twice@example.org' });
  await addGift(db, orgId, { user_id: user.userId, email: user.email });
  expect((await readGiving(user)).gifts).toHaveLength(1);
});

test('an unpaid checkout isn’t a gift; a pending debit is listed', async () => {
  const user = await signIn(deps);
  for (const payment_status of ['unpaid', 'failed', 'expired'] as const) {
    await addCheckout(db, orgId, { user_id: user.userId, payment_status });
  }
  const checkoutId = await addCheckout(db, orgId, { user_id: user.userId, payment_status: 'processing' });
  expect((await readGiving(user)).gifts).toMatchObject([
    { checkoutid: checkoutId, paymentStatus: 'processing', receiptNumber: null },
  ]);
});

test('a renewal is a separate gift with the recurring items', async () => {
  const user = await signIn(deps);
  const { checkoutId } = await addGift(db, orgId, { user_id: user.userId, cart: MONTHLY_CART });
  const renewal = {
    orgId,
    checkoutId,
    kind: 'renewal',
    fact: 'invoice:1',
    amount: 1000,
    carbon: 0,
    currency: 'usd',
  } as const;
  await inTransaction(db, (tx) => postEntry(tx, { ...renewal, occurredAt: new Date('2026-04-14T09:30:00Z') }));
  const { gifts } = await readGiving(user);
  expect(gifts).toMatchObject([
    { amount: 10, recurring: true, cart: [donationItem(10, 'month')], checkoutURL: null },
    { amount: 25, recurring: true, cart: [donationItem(10, 'month'), donationItem(15)] },
  ]);
});

test('a received check is a gift; a pledge isn’t', async () => {
  const user = await signIn(deps, { email: 'checks@example.org' });
  await addCheck(db, orgId, 'Checks@example.org');
  await db.kysely
    .insertInto('pledges')
    .values({ id: 'only-pledged', org_id: orgId, name: 'C', email: user.email, amount_cents: 500 })
    .execute();
  expect((await readGiving(user)).gifts).toMatchObject([
    { checkoutid: null, amount: 100, cart: [], receiptNumber: null },
  ]);
});

test('a bounced check is no longer a gift', async () => {
  const user = await signIn(deps, { email: 'bounced@example.org' });
  const pledgeId = await addCheck(db, orgId, 'bounced@example.org');
  expect((await readGiving(user)).gifts).toHaveLength(1);
  const reversal = { orgId, pledgeId, kind: 'reversal', fact: `check:${pledgeId}:reversed`, carbon: 0 } as const;
  const lines = checkLines(-10_000);
  await inTransaction(db, (tx) =>
    postEntry(tx, { ...reversal, amount: -10_000, lines, currency: 'usd', occurredAt: new Date('2026-03-16') }),
  );
  expect((await readGiving(user)).gifts).toEqual([]);
});

test('test payments no longer count as gifts once the program takes real payments', async () => {
  const user = await signIn(deps);
  const { checkoutId } = await addGift(db, orgId, { user_id: user.userId });
  const testEntry = { orgId, kind: 'payment', amount: 500, carbon: 0, currency: 'usd', livemode: false } as const;
  const occurredAt = new Date('2026-03-15T09:30:00Z');
  await inTransaction(db, (tx) => postEntry(tx, { ...testEntry, checkoutId, fact: 'a test payment', occurredAt }));
  const { log } = createLogSpy();
  await setPaymentMode(db, false, log);
  expect((await readGiving(user)).gifts).toMatchObject([{ amount: 5 }, { amount: 25 }]);
  await setPaymentMode(db, true, log);
  expect((await readGiving(user)).gifts).toMatchObject([{ amount: 25 }]);
  await setPaymentMode(db, false, log);
});

test('a refunded payment of a recurring gift is shown as refunded; the others stay paid', async () => {
  const user = await signIn(deps);
  const { ledgerEntryId } = await addGift(db, orgId, { user_id: user.userId });
  await addGift(db, orgId, { user_id: user.userId });
  await db.kysely
    .updateTable('payments')
    .set({ status: 'refunded', returned_cents: 2500 })
    .where('entry_id', '=', ledgerEntryId)
    .execute();
  const statuses = (await readGiving(user)).gifts.map(({ paymentStatus }) => paymentStatus);
  expect(statuses.toSorted()).toEqual(['paid', 'refunded']);
});

test('the story form is offered while it can be filled in', async () => {
  const user = await signIn(deps);
  const created_at = clock.now();
  const { checkoutId } = await addGift(db, orgId, { user_id: user.userId, created_at });
  const [{ checkoutURL } = { checkoutURL: null }] = (await readGiving(user)).gifts;
  expect(checkoutURL).toMatch(new RegExp(`^/orgs/${orgId}/checkouts/${checkoutId}\\?receipt=[\\w-]{22}$`));
  clock.advance(2 * DAY);
  const laterLogin = await signIn(deps, { userId: user.userId });
  const checkout = await app.inject(`/api${checkoutURL}`);
  expect(checkout.json()).toMatchObject({ isOver: false });
  expect((await readGiving(laterLogin)).gifts[0]?.checkoutURL).toBe(checkoutURL);
  clock.advance(29 * DAY);
  expect((await readGiving(await signIn(deps, { userId: user.userId }))).gifts[0]?.checkoutURL).toBeNull();
});

test('the story form isn’t offered once a story exists', async () => {
  const user = await signIn(deps);
  const created_at = clock.now();
  await addGift(db, orgId, { user_id: user.userId, created_at, completed: true });
  await addGift(db, orgId, { user_id: user.userId, created_at, payment_status: 'refunded' });
  const otherOrgId = await addOrg(db);
  await addOffsetter(db, otherOrgId, { user_id: user.userId });
  await addGift(db, otherOrgId, { user_id: user.userId, created_at });
  expect((await readGiving(user)).gifts.map(({ checkoutURL }) => checkoutURL)).toEqual([null, null, null]);
});

test('stories in all organizations are listed newest first, including hidden ones', async () => {
  const user = await signIn(deps);
  const otherOrgId = await addOrg(db, { name: 'Hill Fund' });
  const firstStoryId = await addOffsetter(db, orgId, {
    user_id: user.userId,
    created_at: new Date('2026-01-01'),
    status: 'hidden',
  });
  const secondStoryId = await addOffsetter(db, otherOrgId, {
    user_id: user.userId,
    created_at: new Date('2026-01-02'),
    shown_as: 'first',
  });
  await addOffsetter(db, orgId);
  expect((await readGiving(user)).offsetters).toMatchObject([
    {
      id: secondStoryId,
      orgid: otherOrgId,
      orgName: 'Hill Fund',
      name: 'Dora Donor',
      shownAs: 'first',
      status: 'published',
      profileURL: `/orgs/${otherOrgId}/offsetters/${secondStoryId}/`,
      editURL: `/orgs/${otherOrgId}/.edit/offsetters/${secondStoryId}/`,
    },
    { id: firstStoryId, status: 'hidden' },
  ]);
});

test('gifts are visible only to their donor, who needs a verified address', async () => {
  const [user, admin] = [await signIn(deps), await signIn(deps, { admin: true })];
  const read = async (as: SignedInPerson | undefined, userId: string) =>
    readOutcome(await call(app, 'readGiving', { params: { userid: userId }, as }));
  expect(await read(undefined, user.userId)).toEqual([401, 'login-required']);
  expect(await read(admin, user.userId)).toEqual([403, 'forbidden']);
  const eve = await signIn(deps, { email: 'payer@example.org', verified: false });
  expect(await read(eve, eve.userId)).toEqual([403, 'email-unverified']);
});
