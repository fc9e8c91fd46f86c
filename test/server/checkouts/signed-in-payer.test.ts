// @spec 4.checkout decisions.3 decisions.4 decisions.5
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type CallName, callPath } from '#contract/calls.ts';
import { hashBrowserId } from '#server/features/checkouts/browser-cookie.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { PAYER } from '#test/support/card-provider.ts';
import { HOUR } from '#test/support/clock.ts';
import { type DonationSetup, type OpenedCheckout, startDonationSetup } from '#test/support/donation-setup.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, clock, provider } = setup;
const photo = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#466066' } })
  .jpeg()
  .toBuffer();

const readRow = ({ id }: OpenedCheckout) =>
  db.kysely.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readOffsetter = (id: string) =>
  db.kysely.selectFrom('offsetters').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Each test has its own organization, so tests don't see each other's offsetters. */
const readCheckout = async (orgId: string, { id: checkoutId }: OpenedCheckout, as?: SignedInPerson) =>
  (await setup.call('GET', callPath('readCheckout', { orgid: orgId, checkoutid: checkoutId }), undefined, as)).json();
const completeCheckout = (orgId: string, { id: checkoutId }: OpenedCheckout, as?: SignedInPerson) =>
  setup.call('PATCH', callPath('completeCheckout', { orgid: orgId, checkoutid: checkoutId }), undefined, as);
const submitStory = (orgId: string, { id: checkoutId }: OpenedCheckout, as?: SignedInPerson, fields = {}) =>
  sendForm(setup.baseUrl, 'submitProfile', {
    params: { orgid: orgId, checkoutid: checkoutId },
    as,
    form: createProfileForm({ checkoutId, photo, fields }),
  });

/** The address to which the hosted page returns after paying. */
async function readReturnUrl(checkout: OpenedCheckout): Promise<string> {
  const { provider_session_id } = await readRow(checkout);
  const session = await provider.stripe.checkout.sessions.retrieve(provider_session_id ?? '');
  return session.success_url ?? '';
}

test('shows the logged-in user’s name until the provider reports the payer’s', async () => {
  const me = await signIn(deps, { name: 'Mia Miller' });
  const checkout = await setup.openCheckout(undefined, { as: me });
  expect(await readRow(checkout)).toMatchObject({ user_id: me.userId, display_name: 'Mia Miller' });
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await readRow(checkout)).toMatchObject({ user_id: me.userId, display_name: PAYER.name });
});

test('a checkout opened while its payer deletes the account has no owner and can be paid', async () => {
  const me = await signIn(deps, { name: 'Mia Miller' });
  const pendingOpening = await db.kysely.transaction().execute(async (deletionTx) => {
    await sql`delete from users where id = ${me.userId}`.execute(deletionTx);
    const checkoutPromise = setup.openCheckout(undefined, { as: me });
    while (!(await isWaitingForLock())) await setImmediate();
    return { promise: checkoutPromise };
  });
  const checkout = await pendingOpening.promise;
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await readRow(checkout)).toMatchObject({ user_id: null, display_name: PAYER.name, payment_status: 'paid' });
});

test('a checkout of a user with an unverified email has no owner', async () => {
  const eve = await signIn(deps, { verified: false });
  expect(await readRow(await setup.openCheckout(undefined, { as: eve }))).toMatchObject({
    user_id: null,
    display_name: null,
  });
});

test('returns from the payment page to …/complete for users with a story in this organization, and to the checkout for everyone else', async () => {
  const me = await signIn(deps);
  const [orgWithOffsetter, orgWithoutOffsetter] = [await addOrg(db), await addOrg(db)];
  await addOffsetter(db, orgWithOffsetter, { user_id: me.userId });
  const ownCheckout = await setup.openCheckout(undefined, { orgId: orgWithOffsetter, as: me });
  expect(await readReturnUrl(ownCheckout)).toBe(
    `https://fund.example/orgs/${orgWithOffsetter}/checkouts/${ownCheckout.id}/complete`,
  );
  const first = await setup.openCheckout(undefined, { orgId: orgWithoutOffsetter, as: me });
  expect(await readReturnUrl(first)).toBe(`https://fund.example/orgs/${orgWithoutOffsetter}/checkouts/${first.id}`);
  const visitorCheckout = await setup.openCheckout(undefined, { orgId: orgWithOffsetter });
  expect(await readReturnUrl(visitorCheckout)).toBe(
    `https://fund.example/orgs/${orgWithOffsetter}/checkouts/${visitorCheckout.id}`,
  );
});

test('adds a paid gift to the user’s existing story and doesn’t ask for another', async () => {
  const me = await signIn(deps);
  const orgId = await addOrg(db);
  const ownOffsetter = await addOffsetter(db, orgId, { user_id: me.userId, last_offset_at: new Date('2020-01-01') });
  const checkout = await setup.openAndPay({ orgId, as: me });
  expect((await readOffsetter(ownOffsetter)).last_offset_at?.getTime()).toBeGreaterThan(clock.now().getTime() - HOUR);
  for (const as of [me, undefined]) {
    expect(await readCheckout(orgId, checkout, as)).toMatchObject({
      isOver: true,
      completed: false,
      draft: null,
      offsetterURL: `/orgs/${orgId}/offsetters/${ownOffsetter}/`,
    });
  }
  expect((await submitStory(orgId, checkout)).body).toMatchObject({ code: 'checkout-over' });
  expect((await completeCheckout(orgId, checkout, me)).json()).toMatchObject({ completed: true, isOver: true });
});

test('needsCompletion is true only while a paid checkout is open and its payer has a story, even a hidden one', async () => {
  const [me, newcomer] = [await signIn(deps), await signIn(deps)];
  const orgId = await addOrg(db);
  await addOffsetter(db, orgId, { user_id: me.userId, status: 'hidden' });
  const unpaidCheckout = await setup.openCheckout(undefined, { orgId, as: me });
  expect(await readCheckout(orgId, unpaidCheckout, me)).toMatchObject({ isOver: true, needsCompletion: false });
  const first = await setup.openAndPay({ orgId, as: newcomer });
  expect(await readCheckout(orgId, first, newcomer)).toMatchObject({ isOver: false, needsCompletion: false });
  const [completedCheckout, lateCheckout] = [
    await setup.openAndPay({ orgId, as: me }),
    await setup.openAndPay({ orgId, as: me }),
  ];
  for (const as of [me, undefined]) {
    expect(await readCheckout(orgId, completedCheckout, as)).toMatchObject({ isOver: true, needsCompletion: true });
  }
  await completeCheckout(orgId, completedCheckout, me);
  expect(await readCheckout(orgId, completedCheckout, me)).toMatchObject({ isOver: true, needsCompletion: false });
  clock.advance(24 * HOUR + 1);
  expect(await readCheckout(orgId, lateCheckout)).toMatchObject({ isOver: true, needsCompletion: false });
});

test('a late report of an earlier gift doesn’t move the last offset date back', async () => {
  const me = await signIn(deps);
  const orgId = await addOrg(db);
  const laterDate = new Date('2030-01-01T00:00:00Z');
  const ownOffsetter = await addOffsetter(db, orgId, { user_id: me.userId, last_offset_at: laterDate });
  await setup.openAndPay({ orgId, as: me });
  expect((await readOffsetter(ownOffsetter)).last_offset_at).toEqual(laterDate);
});

test('doesn’t add a visitor’s gift to any story', async () => {
  const orgId = await addOrg(db);
  const me = await signIn(deps, { email: 'nobodys-gift@example.org' });
  const ownOffsetter = await addOffsetter(db, orgId, { user_id: me.userId });
  const checkout = await setup.openAndPay({ orgId });
  expect((await readOffsetter(ownOffsetter)).last_offset_at).toBeNull();
  expect(await readRow(checkout)).toMatchObject({ user_id: null, offsetter_id: null });
});

test('a payer who later logs in and already has a story in this organization isn’t asked for one', async () => {
  const me = await signIn(deps);
  const orgId = await addOrg(db);
  const ownOffsetter = await addOffsetter(db, orgId, { user_id: me.userId });
  const checkout = await setup.openAndPay({ orgId });
  expect(await readCheckout(orgId, checkout)).toMatchObject({ isOver: false, offsetterURL: null });
  expect(await readCheckout(orgId, checkout, me)).toMatchObject({
    isOver: true,
    offsetterURL: `/orgs/${orgId}/offsetters/${ownOffsetter}/`,
  });
  expect((await submitStory(orgId, checkout, me)).body).toMatchObject({ code: 'checkout-over' });
  expect((await completeCheckout(orgId, checkout, me)).json()).toMatchObject({ completed: true });
  // The link holder may not be the payer, because the address on the card page was different.
  expect(await readRow(checkout)).toMatchObject({ user_id: null, offsetter_id: null });
  expect((await readOffsetter(ownOffsetter)).last_offset_at).toBeNull();
});

test("when the payer's verified email matches, completing adds the gift to the offsetter", async () => {
  const orgId = await addOrg(db);
  const checkout = await setup.openAndPay({ orgId });
  await db.kysely.updateTable('checkouts').set({ email: 'Paid@Example.org' }).where('id', '=', checkout.id).execute();
  const me = await signIn(deps, { email: 'paid@example.org' });
  const ownOffsetter = await addOffsetter(db, orgId, { user_id: me.userId });
  await completeCheckout(orgId, checkout, me);
  expect(await readRow(checkout)).toMatchObject({ completed: true, offsetter_id: ownOffsetter });
  expect((await readOffsetter(ownOffsetter)).last_offset_at).toEqual((await readRow(checkout)).paid_at);
});

test('a checkout stays open for its owner after others view it', async () => {
  const orgId = await addOrg(db);
  const [me, otherUser] = [await signIn(deps), await signIn(deps)];
  await addOffsetter(db, orgId, { user_id: otherUser.userId });
  const checkout = await setup.openAndPay({ orgId, as: me });
  expect(await readCheckout(orgId, checkout, otherUser)).toMatchObject({ isOver: false, offsetterURL: null });
  expect(await readCheckout(orgId, checkout, me)).toMatchObject({ isOver: false });
});

test('only the owner sees their own draft', async () => {
  const orgId = await addOrg(db, { review_stories: true });
  const me = await signIn(deps);
  await addOffsetter(db, orgId, { user_id: me.userId, status: 'draft' });
  const checkout = await setup.openAndPay({ orgId, as: me });
  expect(await readCheckout(orgId, checkout, me)).toMatchObject({
    isOver: true,
    offsetterURL: null,
    draft: { name: 'Dora Donor' },
  });
  expect(await readCheckout(orgId, checkout)).toMatchObject({ isOver: true, offsetterURL: null, draft: null });
});

test('ignores the story of an unverified account', async () => {
  const orgId = await addOrg(db);
  const eve = await signIn(deps, { verified: false });
  await addOffsetter(db, orgId, { user_id: eve.userId });
  const checkout = await setup.openAndPay({ orgId, as: eve });
  expect(await readCheckout(orgId, checkout, eve)).toMatchObject({ isOver: false, offsetterURL: null });
  const { body } = await submitStory(orgId, checkout, eve);
  expect(await readOffsetter(body.id)).toMatchObject({ user_id: null, email: 'dora@example.org' });
});

test('a story submitted while logged in uses the user’s verified email instead of the form’s', async () => {
  const orgId = await addOrg(db);
  const me = await signIn(deps, { email: 'teller@example.org' });
  const checkout = await setup.openAndPay({ orgId });
  const { status, body } = await submitStory(orgId, checkout, me, { email: undefined });
  expect(status).toBe(200);
  expect(await readOffsetter(body.id)).toMatchObject({ user_id: me.userId, email: 'teller@example.org' });
});

test('a gift belongs to the person who tells its story only if they are its payer or their browser opened the checkout', async () => {
  const orgId = await addOrg(db);
  const tellStory = async (person: SignedInPerson, cookies: { readonly cookie?: string } = {}) => {
    const checkout = await setup.openAndPay({ orgId });
    const changes = { email: 'Payer@Example.org', creator_hash: hashBrowserId('this browser') };
    await db.kysely.updateTable('checkouts').set(changes).where('id', '=', checkout.id).execute();
    const { body } = await submitStory(orgId, checkout, { ...person, headers: { ...person.headers, ...cookies } });
    expect(await readOffsetter(body.id)).toMatchObject({ user_id: person.userId });
    return (await readRow(checkout)).user_id;
  };
  expect(await tellStory(await signIn(deps))).toBeNull();
  expect(await tellStory(await signIn(deps), { cookie: '__Host-fund.browser=another browser' })).toBeNull();
  const sharer = await signIn(deps);
  expect(await tellStory(sharer, { cookie: '__Host-fund.browser=this browser' })).toBe(sharer.userId);
  const payer = await signIn(deps, { email: 'payer@example.org' });
  expect(await tellStory(payer)).toBe(payer.userId);
});

test('a browser that published a story isn’t asked for another one after its next gift with the same address', async () => {
  const orgId = await addOrg(db);
  const readFrom = async ({ id: checkoutid }: OpenedCheckout, cookie: string) => {
    const headers = { cookie: `__Host-fund.browser=${cookie}` };
    const response = await fetch(setup.baseUrl + callPath('readCheckout', { orgid: orgId, checkoutid }), { headers });
    return response.json();
  };
  const give = async (browser: string, email: string) => {
    const checkout = await setup.openAndPay({ orgId });
    const changes = { email, creator_hash: hashBrowserId(browser) };
    await db.kysely.updateTable('checkouts').set(changes).where('id', '=', checkout.id).execute();
    return checkout;
  };
  const { body } = await submitStory(orgId, await give('hers', 'ana@example.org'), undefined, {
    email: 'ana@example.org',
  });
  const nextGift = await give('hers', 'Ana@example.org');
  const story = { isOver: true, offsetterURL: body.profileURL };
  const noStory = { isOver: false, offsetterURL: null };
  expect(await readFrom(nextGift, 'hers')).toMatchObject(story);
  expect(await readFrom(nextGift, 'another')).toMatchObject(noStory);
  expect(await readFrom(await give('hers', 'ben@example.org'), 'hers')).toMatchObject(noStory);
  expect(await readFrom(await give('another', 'ana@example.org'), 'another')).toMatchObject(noStory);
  await db.kysely.updateTable('offsetters').set({ status: 'hidden' }).where('id', '=', body.id).execute();
  expect(await readFrom(nextGift, 'hers')).toMatchObject(noStory);
});

test('a story submitted while logged out has no owner until the verified owner of its email claims it', async () => {
  const orgId = await addOrg(db);
  await signIn(deps, { email: 'known@example.org' });
  await signIn(deps, { email: 'unproven@example.org', verified: false });
  const ownerStory = await submitStory(orgId, await setup.openAndPay({ orgId }), undefined, {
    email: 'Known@Example.org',
  });
  expect(await readOffsetter(ownerStory.body.id)).toMatchObject({
    user_id: null,
    email: 'Known@Example.org',
    claim: 'pending',
    status: 'published',
  });
  const unverifiedStory = await submitStory(orgId, await setup.openAndPay({ orgId }), undefined, {
    email: 'unproven@example.org',
  });
  expect(await readOffsetter(unverifiedStory.body.id)).toMatchObject({ user_id: null, claim: null });
  expect(JSON.stringify([ownerStory.body, unverifiedStory.body])).not.toMatch(/@|user/);
});

test('two simultaneous submissions by one user become one story', async () => {
  const orgId = await addOrg(db);
  const me = await signIn(deps);
  const checkouts = [await setup.openAndPay({ orgId, as: me }), await setup.openAndPay({ orgId, as: me })];
  const responses = await Promise.all(checkouts.map((checkout) => submitStory(orgId, checkout, me)));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const rows = await db.kysely.selectFrom('offsetters').select('id').where('user_id', '=', me.userId).execute();
  expect(rows).toHaveLength(1);
});

test.each(['createCheckout', 'readCheckout', 'completeCheckout'] satisfies CallName[])(
  'an invalid token is rejected on %s even though visitors may call it',
  async (name) => {
    const checkout = await setup.openAndPay();
    const path = callPath(name, { orgid: setup.orgId, checkoutid: checkout.id });
    const method = { createCheckout: 'POST', readCheckout: 'GET', completeCheckout: 'PATCH' } as const;
    const headers = { 'x-requested-with': 'test', authorization: 'Bearer a.b.c' };
    const payload = name === 'createCheckout' ? { cart: [] } : undefined;
    const response = await setup.app.inject({
      method: method[name],
      url: path,
      headers,
      ...(payload ? { payload } : {}),
    });
    expect([response.statusCode, response.json().code]).toEqual([401, 'token-invalid']);
  },
);

test('a payment locks its donor’s story before the totals, like story edits', async () => {
  const me = await signIn(deps);
  const orgId = await addOrg(db);
  const story = await addOffsetter(db, orgId, { user_id: me.userId });
  await setup.openAndPay({ orgId, as: me });
  const checkout = await setup.openCheckout(undefined, { orgId, as: me });
  await provider.pay(checkout.paymentUrl);
  const { provider_session_id: sessionId } = await readRow(checkout);
  const pendingRecording = await db.kysely.transaction().execute(async (editTx) => {
    await editTx.selectFrom('offsetters').select('id').where('id', '=', story).forUpdate().execute();
    const pendingSession = recordSession(deps, sessionId ?? '');
    while (!(await isWaitingForLock())) await setImmediate();
    // This query fails if the payment has locked the row.
    await sql`select from ledger_totals where org_id = ${orgId} for update nowait`.execute(editTx);
    return { promise: pendingSession };
  });
  expect(await pendingRecording.promise).toMatchObject({ outcome: 'recorded', checkoutId: checkout.id });
});

async function isWaitingForLock(): Promise<boolean> {
  const { rows } =
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.kysely,
    );
  return rows.length > 0;
}
