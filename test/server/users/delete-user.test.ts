// @spec decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { countUndeliveredReceipts } from '#server/features/receipts/undelivered-receipts.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { PAYER, parseSessionId } from '#test/support/card-provider.ts';
import { MINUTE } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { addTraces, findTraces, readTableNames, TRACES } from '#test/support/person-traces.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, deps, app, clock, provider } = setup;

const deleteUser = (as: SignedInPerson | undefined, userid = as?.userId ?? '', server = app) =>
  call(server, 'deleteUser', { params: { userid }, as });
const userExists = async (userId: string) =>
  (await db.kysely.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined;
const readSubscription = async (checkoutId: string) => {
  const { provider_subscription_id } = await db.kysely
    .selectFrom('checkouts')
    .select('provider_subscription_id')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return provider.stripe.subscriptions.retrieve(provider_subscription_id ?? '');
};

/** Tables with user data. */
const TABLES_WITH_USER_DATA = [
  'accounts',
  'activities',
  'attention_items',
  'authenticators',
  'awardees',
  'bank_marks',
  'cell_versions',
  'cells',
  'checkouts',
  'deposits',
  'donors',
  'email_choices',
  'email_codes',
  'invitations',
  'month_changes',
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
  'team_notes',
  'tributes',
  'users',
];
/** Tables without user data. */
const TABLES_WITHOUT_USER_DATA = [
  'account_fees',
  'alarms', // times
  'awardees', // written by editors, with a separate consent
  'backups', // locations and times
  'deposit_checks', // ids of ledger entries
  'factor_sets', // numbers and their sources
  'failed_renewals', // amounts and the provider's ids
  'former_slugs',
  'grant_emails', // delivery statuses
  'grants', // linked to a home, whose story has the name
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
  'receipt_emails', // delivery statuses
  'receipt_notes', // days and amounts
  'receipt_number_gaps',
  'receipt_numbers',
  'restore_drills', // locations and times
  'sign_ups', // in progress, for a day at most
  'subscriptions', // amounts and the provider's ids
];

test('every table is listed as containing user data or not', async () => {
  const tables = [...TABLES_WITH_USER_DATA, ...TABLES_WITHOUT_USER_DATA];
  expect((await readTableNames(db)).filter((name) => !tables.includes(name))).toEqual([]);
});

/** Makes a monthly gift as a user: pays for it and delivers the events. */
async function addMonthlyGift(user: SignedInPerson) {
  const checkout = await setup.openCheckout([donationItem(25, 'month')], { as: user });
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return checkout;
}

// @asvs 14.2.4
test('no table contains a deleted user, and the ledger is unchanged', async () => {
  const orgId = await addOrg(db);
  await addEditor(db, orgId, await addUser(db));
  const user = await signIn(deps, { email: 'trudi.forget@example.org' });
  await addTraces(db, orgId, user);
  const texts = [user.userId, user.email, ...Object.values(TRACES)];
  expect(Object.keys(await findTraces(db, texts))).toEqual(TABLES_WITH_USER_DATA);
  const entries = await db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', orgId).execute();
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  // Text that the user wrote on pages remains, without its author.
  expect(await findTraces(db, texts)).toEqual({ cell_versions: [TRACES.markdown], cells: [TRACES.markdown] });
  expect(await findTraces(db, [user.userId, user.email])).toEqual({});
  const finalEntries = await db.kysely.selectFrom('ledger_entries').selectAll().where('org_id', '=', orgId).execute();
  expect(finalEntries).toEqual(entries);
  expect(await setup.findDifferences()).toEqual([]);
});

test('other people’s gifts, stories, and accounts stay', async () => {
  const orgId = await addOrg(db);
  const [user, otherUser] = [await signIn(deps), await signIn(deps, { email: 'stays@example.org' })];
  await addTraces(db, orgId, otherUser);
  const initialTraces = await findTraces(db, [otherUser.email, TRACES.name, TRACES.story]);
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  expect(await findTraces(db, [otherUser.email, TRACES.name, TRACES.story])).toEqual(initialTraces);
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: otherUser }))).toEqual([200]);
});

// @asvs 7.4.2
test('the token ends with the account, and the session cookie is cleared', async () => {
  const user = await signIn(deps);
  const response = await deleteUser(user);
  expect([response.headers['set-cookie']].flat()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^__Host-signed_in=;/)]),
  );
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: user }))).toEqual([401, 'token-invalid']);
});

test('stories are deleted with their pictures', async () => {
  const user = await signIn(deps);
  const photo = await deps.pictures.store(await createPlainPhoto(96, 64).jpeg().toBuffer());
  if (photo instanceof Failure) throw photo;
  const orgId = await addOrg(db);
  const offsetterId = await addOffsetter(db, orgId, { user_id: user.userId, photo: JSON.stringify(photo) });
  await deleteUser(user);
  expect(readOutcome(await call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: offsetterId } }))).toEqual(
    [404, 'offsetter-not-found'],
  );
  const removeJobs = jobs.findPayloads(removePicture).filter(({ key }) => key === photo.key);
  expect(removeJobs).toHaveLength(1);
  for (const job of removeJobs) await deps.pictures.remove(job.key);
  expect(await deps.pictures.open(photo.key, 96)).toBeUndefined();
});

test('recurring gifts are canceled at the provider', async () => {
  const user = await signIn(deps);
  const { id } = await addMonthlyGift(user);
  expect((await readSubscription(id)).status).toBe('active');
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  expect((await readSubscription(id)).status).toBe('canceled');
  expect(await setup.findDifferences()).toEqual([]);
});

test('a recurring gift that was just paid and not yet reported is also canceled', async () => {
  const user = await signIn(deps);
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')], { as: user });
  await provider.pay(paymentUrl);
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  expect((await readSubscription(id)).status).toBe('canceled');
});

test('a recurring gift paid with the address while logged out is canceled too', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')]);
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
  const user = await signIn(deps, { email: PAYER.email });
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  expect((await readSubscription(id)).status).toBe('canceled');
});

test('nothing is deleted while the provider is unreachable, and the response states the reason', async () => {
  const user = await signIn(deps);
  const { id } = await addMonthlyGift(user);
  const appWithoutProvider = await buildTestApp({
    ...deps,
    payments: { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') },
  });
  const response = await deleteUser(user, user.userId, appWithoutProvider);
  expect(readOutcome(response)).toEqual([503, 'gifts-not-stopped']);
  expect(response.json().detail).toMatch(
    /your pending payments and recurring gifts were stopped. Your account wasn’t deleted/,
  );
  expect(await userExists(user.userId)).toBe(true);
  expect((await readSubscription(id)).status).toBe('active');
});

test.each(['closeSession', 'readSession'] as const)(
  'nothing is deleted if a payment page may be open or just paid and the provider doesn’t respond: %s',
  async (method) => {
    const user = await signIn(deps);
    await setup.openCheckout(undefined, { as: user });
    const silentProvider = { [method]: async () => new Failure('payment-unavailable') };
    const appWithSilentProvider = await buildTestApp({ ...deps, payments: { ...deps.payments, ...silentProvider } });
    expect(readOutcome(await deleteUser(user, user.userId, appWithSilentProvider))).toEqual([503, 'gifts-not-stopped']);
    expect(await userExists(user.userId)).toBe(true);
  },
);

test('a payment page opened before the deletion can no longer be paid', async () => {
  const user = await signIn(deps);
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')], { as: user });
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl));
  expect(session.status).toBe('expired');
  expect(await setup.readCheckout(id)).toMatchObject({ paymentStatus: 'expired', paymentURL: null });
});

test('a late report from the provider restores neither name nor address', async () => {
  const orgId = await addOrg(db);
  const user = await signIn(deps);
  const debit = await setup.openCheckout(undefined, { as: user, orgId });
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliverEvents();
  const gift = await setup.openAndPay({ as: user, orgId });
  expect(readOutcome(await deleteUser(user))).toEqual([200]);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  for (const { id } of await provider.listSessionEvents()) await provider.redeliver(id);
  const rows = await db.kysely
    .selectFrom('checkouts')
    .select(['payment_status', 'email', 'display_name', 'user_id', 'provider_customer_id'])
    .where('id', 'in', [debit.id, gift.id])
    .execute();
  const erasedColumns = { email: null, display_name: null, user_id: null, provider_customer_id: null };
  expect(rows).toEqual([0, 1].map(() => ({ payment_status: 'paid', ...erasedColumns })));
  const receipts = await db.kysely
    .selectFrom('receipts')
    .select(['email', 'name'])
    .where('checkout_id', 'in', [debit.id, gift.id])
    .execute();
  expect(receipts).toEqual([0, 1].map(() => ({ email: null, name: null })));
  // These receipts can no longer be sent, so they don't count as undelivered.
  expect(await countUndeliveredReceipts(deps, orgId)).toBe(0);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a check’s receipt is erased with its donor, even after it was sent to another address', async () => {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgId] });
  const user = await signIn(deps);
  const pledgeId = await addPledge(db, orgId, { email: user.email });
  const body = { amount: 100, receivedOn: '2026-03-12' };
  await call(app, 'receivePledge', { params: { orgid: orgId, pledgeid: pledgeId }, as: edith, body });
  const { id: entryId } = await db.kysely
    .selectFrom('ledger_entries')
    .select('id')
    .where('pledge_id', '=', pledgeId)
    .executeTakeFirstOrThrow();
  const newEmail = { email: 'my.new.address@example.org' };
  expect(
    readOutcome(
      await call(app, 'sendReceiptTo', { params: { orgid: orgId, entryid: entryId }, as: edith, body: newEmail }),
    ),
  ).toEqual([200]);
  const ownDownload = await call(app, 'downloadUser', { params: { userid: user.userId }, as: user });
  expect(ownDownload.body).toContain(newEmail.email);
  await deleteUser(user);
  expect(await findTraces(db, [newEmail.email])).toEqual({});
});

test('a gift that another user paid with the deleted user’s address stays', async () => {
  const [user, payer] = [await signIn(deps, { email: 'shared@example.org' }), await signIn(deps)];
  const { checkoutId } = await addGift(db, setup.orgId, { user_id: payer.userId, email: user.email });
  await deleteUser(user);
  const row = await db.kysely.selectFrom('checkouts').selectAll().where('id', '=', checkoutId).executeTakeFirst();
  expect(row).toMatchObject({ user_id: payer.userId, email: null, display_name: null });
});

test('deleting an unverified account keeps gifts and stories with its address', async () => {
  const eve = await signIn(deps, { email: 'innocent@example.org', verified: false });
  const orgId = await addOrg(db);
  const { checkoutId } = await addGift(db, orgId, { email: 'innocent@example.org' });
  const offsetter = await addOffsetter(db, orgId, { email: 'innocent@example.org' });
  await addInvitation(db, orgId, { email: eve.email });
  expect(readOutcome(await deleteUser(eve))).toEqual([200]);
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
  expect(readOutcome(await deleteUser(edith))).toEqual([409, 'last-editor']);
  expect(await userExists(edith.userId)).toBe(true);
  const secondEditor = await signIn(deps, { editorOf: [orgId, await addOrg(db)] });
  expect(readOutcome(await deleteUser(secondEditor))).toEqual([409, 'last-editor']);
  await addEditor(db, orgId, await addUser(db));
  expect(readOutcome(await deleteUser(edith))).toEqual([200]);
  await addUser(db, { admin: true });
  const admin = await signIn(deps, { admin: true, editorOf: [await addOrg(db)] });
  expect(readOutcome(await deleteUser(admin))).toEqual([200]);
});

test('the last admin can’t delete their account and keeps recurring gifts', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  const admin = await signIn(deps, { admin: true });
  const { id } = await addMonthlyGift(admin);
  expect(readOutcome(await deleteUser(admin))).toEqual([409, 'last-admin']);
  expect((await readSubscription(id)).status).toBe('active');
  await addUser(db, { admin: true });
  expect(readOutcome(await deleteUser(admin))).toEqual([200]);
});

test('if the last two editors leave simultaneously, one stays', async () => {
  const orgId = await addOrg(db);
  const editors = [await signIn(deps, { editorOf: [orgId] }), await signIn(deps, { editorOf: [orgId] })];
  const responses = await Promise.all(editors.map((editor) => deleteUser(editor)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('only the user can delete the account, after a login or confirmation in the last hour', async () => {
  const [user, admin] = [await signIn(deps), await signIn(deps, { admin: true })];
  expect(readOutcome(await deleteUser(admin, user.userId))).toEqual([403, 'forbidden']);
  expect(readOutcome(await setup.call('DELETE', callPath('deleteUser', { userid: user.userId })))).toEqual([
    401,
    'login-required',
  ]);
  const oldConfirmation = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely
    .updateTable('sessions')
    .set({ authenticated_at: oldConfirmation })
    .where('id', '=', user.sessionId)
    .execute();
  expect(readOutcome(await deleteUser(user))).toEqual([401, 'confirmation-required']);
  expect(await userExists(user.userId)).toBe(true);
});
