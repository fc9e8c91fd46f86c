// @spec decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { PAYER, sessionIdOf } from '#test/support/card-provider.ts';
import { MINUTE } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { findTraces, plantTraces, TRACES, tableNames } from '#test/support/person-traces.ts';
import { plainPhoto } from '#test/support/photos.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const jobs = jobRecorder();
const giving: Giving = await startGiving({ jobs });
const { db, deps, app, clock, provider } = giving;

const remove = (as: SignedInPerson | undefined, userid = as?.userId ?? '', on = app) =>
  call(on, 'deleteUser', { params: { userid }, as });
const isThere = async (userId: string) =>
  (await db.kysely.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined;
const subscriptionOf = async (checkoutId: string) => {
  const { provider_subscription_id } = await db.kysely
    .selectFrom('checkouts')
    .select('provider_subscription_id')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return provider.stripe.subscriptions.retrieve(provider_subscription_id ?? '');
};

/** Tables with user data. */
const WITH_PEOPLE = [
  'accounts',
  'activities',
  'attention_items',
  'authenticators',
  'awardees',
  'cell_versions',
  'cells',
  'checkouts',
  'donor_notes',
  'donors',
  'email_choices',
  'email_codes',
  'gift_notes',
  'invitations',
  'offsetters',
  'org_editors',
  'passkeys',
  'payment_returns', // an editor's reason
  'pending_logins',
  'pledges',
  'provider_events',
  'receipts',
  'recovery_codes',
  'removed_editors',
  'sessions',
  'team_emails',
  'tributes',
  'users',
];
/** Tables without user data. */
const WITHOUT_PEOPLE = [
  'account_fees',
  'alarms', // times
  'awardees', // written by editors, with a separate consent
  'backups', // where they are and when they were made
  'factor_sets', // numbers and their sources
  'failed_renewals', // amounts and the provider's ids
  'former_slugs',
  'grant_emails', // what became of mails
  'grants', // of a home, which its story names
  'installers',
  'leases', // ids of processes
  'ledger_entries', // append-only; the id of a deleted editor identifies nobody
  'ledger_lines',
  'ledger_totals',
  'migrations',
  'operation_events', // times and counts
  'org_versions',
  'orgs',
  'payment_mode',
  'payments', // amounts and the provider's ids
  'payout_entries',
  'payout_movements', // amounts and the provider's ids
  'payouts',
  'program_secrets',
  'provider_cursors',
  'rate_limits', // hashes only
  'receipt_emails', // what became of the mails of a receipt
  'receipt_notes', // days and amounts
  'receipt_number_gaps',
  'receipt_numbers',
  'restore_drills', // likewise
  'sign_ups', // in progress, for a day at most
  'subscriptions', // amounts and the provider's ids
];

test('every table is listed as containing user data or not', async () => {
  const tables = [...WITH_PEOPLE, ...WITHOUT_PEOPLE];
  expect((await tableNames(db)).filter((name) => !tables.includes(name))).toEqual([]);
});

/** A user's monthly gift, paid and recorded. */
async function monthlyGift(me: SignedInPerson) {
  const checkout = await giving.open([donationItem(25, 'month')], { as: me });
  await provider.pay(checkout.paymentUrl);
  await provider.deliver();
  return checkout;
}

// @asvs 14.2.4
test('a deleted user is in no table, and the ledger is unchanged', async () => {
  const orgId = await addOrg(db);
  await addEditor(db, orgId, await addUser(db));
  const me = await signIn(deps, { email: 'trudi.forget@example.org' });
  await plantTraces(db, orgId, me);
  const texts = [me.userId, me.email, ...Object.values(TRACES)];
  expect(Object.keys(await findTraces(db, texts))).toEqual(WITH_PEOPLE);
  const entries = await db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', orgId).execute();
  expect(outcomeOf(await remove(me))).toEqual([200]);
  // An organization's page texts stay, without their author.
  expect(await findTraces(db, texts)).toEqual({ cell_versions: [TRACES.markdown], cells: [TRACES.markdown] });
  expect(await findTraces(db, [me.userId, me.email])).toEqual({});
  const finalEntries = await db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', orgId).execute();
  expect(finalEntries).toEqual(entries);
  expect(await giving.differences()).toEqual([]);
});

test('other people’s gifts, stories, and accounts stay', async () => {
  const orgId = await addOrg(db);
  const [me, otherUser] = [await signIn(deps), await signIn(deps, { email: 'stays@example.org' })];
  await plantTraces(db, orgId, otherUser);
  const initialTraces = await findTraces(db, [otherUser.email, TRACES.name, TRACES.story]);
  expect(outcomeOf(await remove(me))).toEqual([200]);
  expect(await findTraces(db, [otherUser.email, TRACES.name, TRACES.story])).toEqual(initialTraces);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: otherUser }))).toEqual([200]);
});

// @asvs 7.4.2
test('the token ends with the account, and the session cookie is cleared', async () => {
  const me = await signIn(deps);
  const response = await remove(me);
  expect([response.headers['set-cookie']].flat()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^__Host-signed_in=;/)]),
  );
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: me }))).toEqual([401, 'token-invalid']);
});

test('stories are deleted with their pictures', async () => {
  const me = await signIn(deps);
  const photo = await deps.pictures.store(await plainPhoto(96, 64).jpeg().toBuffer());
  if (photo instanceof Failure) throw photo;
  const orgid = await addOrg(db);
  const offsetterid = await addOffsetter(db, orgid, { user_id: me.userId, photo: JSON.stringify(photo) });
  await remove(me);
  expect(outcomeOf(await call(app, 'readOffsetter', { params: { orgid, offsetterid } }))).toEqual([
    404,
    'offsetter-not-found',
  ]);
  const removeJobs = jobs.dataOf(removePicture).filter(({ key }) => key === photo.key);
  expect(removeJobs).toHaveLength(1);
  for (const job of removeJobs) await deps.pictures.remove(job.key);
  expect(await deps.pictures.open(photo.key, 96)).toBeUndefined();
});

test('recurring gifts are canceled at the provider', async () => {
  const me = await signIn(deps);
  const { id } = await monthlyGift(me);
  expect((await subscriptionOf(id)).status).toBe('active');
  expect(outcomeOf(await remove(me))).toEqual([200]);
  expect((await subscriptionOf(id)).status).toBe('canceled');
  expect(await giving.differences()).toEqual([]);
});

test('a recurring gift paid a moment ago and not yet reported is canceled too', async () => {
  const me = await signIn(deps);
  const { id, paymentUrl } = await giving.open([donationItem(25, 'month')], { as: me });
  await provider.pay(paymentUrl);
  expect(outcomeOf(await remove(me))).toEqual([200]);
  expect((await subscriptionOf(id)).status).toBe('canceled');
});

test('a recurring gift paid with the address while logged out is canceled too', async () => {
  const { id, paymentUrl } = await giving.open([donationItem(25, 'month')]);
  await provider.pay(paymentUrl);
  await provider.deliver();
  const me = await signIn(deps, { email: PAYER.email });
  expect(outcomeOf(await remove(me))).toEqual([200]);
  expect((await subscriptionOf(id)).status).toBe('canceled');
});

test('nothing is deleted while the provider is unreachable, and the response says so', async () => {
  const me = await signIn(deps);
  const { id } = await monthlyGift(me);
  const unreachable = await buildTestApp({
    ...deps,
    payments: { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') },
  });
  const response = await remove(me, me.userId, unreachable);
  expect(outcomeOf(response)).toEqual([503, 'gifts-not-stopped']);
  expect(response.json().detail).toMatch(/we don’t know whether your recent gifts were stopped. Nothing was deleted/);
  expect(await isThere(me.userId)).toBe(true);
  expect((await subscriptionOf(id)).status).toBe('active');
});

test.each(['close', 'read'] as const)(
  'nothing is deleted while a payment page may be open or just paid, and the provider doesn’t respond: %s',
  async (asked) => {
    const me = await signIn(deps);
    await giving.open(undefined, { as: me });
    const silentProvider = { [asked]: async () => new Failure('payment-unavailable') };
    const silent = await buildTestApp({ ...deps, payments: { ...deps.payments, ...silentProvider } });
    expect(outcomeOf(await remove(me, me.userId, silent))).toEqual([503, 'gifts-not-stopped']);
    expect(await isThere(me.userId)).toBe(true);
  },
);

test('a payment page opened before can no longer be paid', async () => {
  const me = await signIn(deps);
  const { id, paymentUrl } = await giving.open([donationItem(25, 'month')], { as: me });
  expect(outcomeOf(await remove(me))).toEqual([200]);
  const session = await provider.stripe.checkout.sessions.retrieve(sessionIdOf(paymentUrl));
  expect(session.status).toBe('expired');
  expect(await giving.read(id)).toMatchObject({ paymentStatus: 'expired', paymentURL: null });
});

test('a late report from the provider restores neither name nor address', async () => {
  const me = await signIn(deps);
  const debit = await giving.open(undefined, { as: me });
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliver();
  const gift = await giving.openPaid({ as: me });
  expect(outcomeOf(await remove(me))).toEqual([200]);
  await provider.resolveDebits('settle');
  await provider.deliver();
  for (const { id } of await provider.events()) await provider.redeliver(id);
  const rows = await db.kysely
    .selectFrom('checkouts')
    .select(['payment_status', 'email', 'display_name', 'user_id', 'provider_customer_id'])
    .where('id', 'in', [debit.id, gift.id])
    .execute();
  const nobody = { email: null, display_name: null, user_id: null, provider_customer_id: null };
  expect(rows).toEqual([0, 1].map(() => ({ payment_status: 'paid', ...nobody })));
  const receipts = await db.kysely
    .selectFrom('receipts')
    .select(['email', 'name'])
    .where('checkout_id', 'in', [debit.id, gift.id])
    .execute();
  expect(receipts).toEqual([0, 1].map(() => ({ email: null, name: null })));
  expect(await giving.differences()).toEqual([]);
});

test('a check’s receipt is erased with its donor, even after it was sent to another address', async () => {
  const orgid = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgid] });
  const me = await signIn(deps);
  const pledgeid = await addPledge(db, orgid, { email: me.email });
  const body = { amount: 100, receivedOn: '2026-03-12' };
  await call(app, 'receivePledge', { params: { orgid, pledgeid }, as: edith, body });
  const { id: entryid } = await db.kysely
    .selectFrom('ledger_entries')
    .select('id')
    .where('pledge_id', '=', pledgeid)
    .executeTakeFirstOrThrow();
  const newEmail = { email: 'my.new.address@example.org' };
  expect(
    outcomeOf(await call(app, 'sendReceiptTo', { params: { orgid, entryid }, as: edith, body: newEmail })),
  ).toEqual([200]);
  const ownDownload = await call(app, 'downloadUser', { params: { userid: me.userId }, as: me });
  expect(ownDownload.body).toContain(newEmail.email);
  await remove(me);
  expect(await findTraces(db, [newEmail.email])).toEqual({});
});

test('a gift another user paid with this address stays theirs', async () => {
  const [me, maker] = [await signIn(deps, { email: 'shared@example.org' }), await signIn(deps)];
  const { checkoutId } = await addGift(db, giving.orgId, { user_id: maker.userId, email: me.email });
  await remove(me);
  const row = await db.kysely.selectFrom('checkouts').selectAll().where('id', '=', checkoutId).executeTakeFirst();
  expect(row).toMatchObject({ user_id: maker.userId, email: null, display_name: null });
});

test('an unverified user deletes only the account, and no gifts of the address', async () => {
  const eve = await signIn(deps, { email: 'innocent@example.org', verified: false });
  const orgId = await addOrg(db);
  const { checkoutId } = await addGift(db, orgId, { email: 'innocent@example.org' });
  const offsetter = await addOffsetter(db, orgId, { email: 'innocent@example.org' });
  await addInvitation(db, orgId, { email: eve.email });
  expect(outcomeOf(await remove(eve))).toEqual([200]);
  const { rows } = await sql<{ kept: number }>`select
    (select count(*)::int from checkouts where id = ${checkoutId} and email = ${eve.email})
    + (select count(*)::int from receipts where checkout_id = ${checkoutId} and email = ${eve.email})
    + (select count(*)::int from invitations where email = ${eve.email})
    + (select count(*)::int from offsetters where id = ${offsetter}) as kept`.execute(db.kysely);
  expect(rows[0]?.kept).toBe(4);
});

test('the last editor can’t delete their account; an admin or one of several editors can', async () => {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgId] });
  expect(outcomeOf(await remove(edith))).toEqual([409, 'last-editor']);
  expect(await isThere(edith.userId)).toBe(true);
  const second = await signIn(deps, { editorOf: [orgId, await addOrg(db)] });
  expect(outcomeOf(await remove(second))).toEqual([409, 'last-editor']);
  await addEditor(db, orgId, await addUser(db));
  expect(outcomeOf(await remove(edith))).toEqual([200]);
  await addUser(db, { admin: true });
  const admin = await signIn(deps, { admin: true, editorOf: [await addOrg(db)] });
  expect(outcomeOf(await remove(admin))).toEqual([200]);
});

test('the last admin can’t delete their account and keeps recurring gifts', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  const admin = await signIn(deps, { admin: true });
  const { id } = await monthlyGift(admin);
  expect(outcomeOf(await remove(admin))).toEqual([409, 'last-admin']);
  expect((await subscriptionOf(id)).status).toBe('active');
  await addUser(db, { admin: true });
  expect(outcomeOf(await remove(admin))).toEqual([200]);
});

test('if the last two editors leave simultaneously, one stays', async () => {
  const orgId = await addOrg(db);
  const pair = [await signIn(deps, { editorOf: [orgId] }), await signIn(deps, { editorOf: [orgId] })];
  const responses = await Promise.all(pair.map((each) => remove(each)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('only the user can delete the account, after a login or confirmation in the last hour', async () => {
  const [me, admin] = [await signIn(deps), await signIn(deps, { admin: true })];
  expect(outcomeOf(await remove(admin, me.userId))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await giving.call('DELETE', callPath('deleteUser', { userid: me.userId })))).toEqual([
    401,
    'login-required',
  ]);
  const old = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely.updateTable('sessions').set({ authenticated_at: old }).where('id', '=', me.sessionId).execute();
  expect(outcomeOf(await remove(me))).toEqual([401, 'proof-required']);
  expect(await isThere(me.userId)).toBe(true);
});
