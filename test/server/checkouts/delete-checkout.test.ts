// @spec 2.checkouts-screen 4.delete-checkout 7.delete-checkout decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { deleteCheckout } from '#server/features/checkouts/delete-checkout.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { unreachableProvider } from '#test/support/build-app.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { findTraces } from '#test/support/person-traces.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, app, orgId, provider } = setup;
const edith = await signIn(deps, { editorOf: [orgId], email: 'edith@example.net' });

const requestDeletion = async (checkoutId: string) =>
  readOutcome(await call(app, 'deleteCheckout', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith }));
const readRecord = (checkoutId: string) =>
  call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith });
const readRow = (id: string) =>
  db.kysely.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test("a checkout's record has its whole history, oldest first", async () => {
  const { id } = await setup.openAndPay();
  const mailer = { send: async () => {} };
  const receiptNumber = setup.queuedReceipts.at(-1) ?? 0;
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, mailingId: 'first' });
  await addOffsetter(db, orgId, { checkout_id: id, name: 'Paula', status: 'draft' });
  const checkoutRecord = (await readRecord(id)).json<CheckoutRecord>();
  expect(checkoutRecord).toMatchObject({
    displayName: 'Paula Payer',
    email: 'payer@example.org',
    total: 25,
    paymentStatus: 'paid',
    provider: { sessionId: expect.stringContaining('cs_'), paymentId: expect.stringContaining('pi_') },
    story: { name: 'Paula', status: 'draft' },
  });
  expect(checkoutRecord.history.map(({ kind }) => kind)).toEqual([
    'opened',
    'report',
    'report',
    'entry',
    'receipt',
    'mail',
  ]);
  expect(checkoutRecord.history).toContainEqual(
    expect.objectContaining({ kind: 'entry', entryKind: 'payment', amount: 25 }),
  );
  expect(JSON.stringify(checkoutRecord)).not.toContain(edith.userId);
});

test('deleting a checkout erases its name and address and leaves the ledger unchanged', async () => {
  const ada = await signIn(deps, { email: 'ada.trace@example.org', name: 'Ada Traceable' });
  const { id } = await setup.openAndPay({ orgId, as: ada });
  await db.kysely.updateTable('checkouts').set({ email: ada.email }).where('id', '=', id).execute();
  await runWithTriggersDisabled(db, (tx) =>
    tx
      .updateTable('receipts')
      .set({ email: ada.email, name: 'Ada Traceable', document: sql`document || '{"donor": "Ada Traceable"}'` })
      .where('checkout_id', '=', id)
      .execute(),
  );
  const initialCents = await setup.readTotalCents();
  expect(await requestDeletion(id)).toEqual([200]);
  // The donor hasn't received the receipt yet.
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const receiptNumber = setup.queuedReceipts.at(-1) ?? 0;
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, mailingId: 'first' });
  expect(sentEmails).toMatchObject([{ to: ada.email, text: expect.stringContaining('Dear Ada Traceable,') }]);
  const traces = await findTraces(db, [ada.email, 'Ada Traceable', ada.userId]);
  expect(Object.keys(traces).toSorted()).toEqual(['activities', 'sessions', 'users']);
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
  expect(await readRow(id)).toMatchObject({ total_cents: 2500, payment_status: 'paid', provider_customer_id: null });
});

test('a checkout’s story is deleted with it unless another gift shares the story', async () => {
  const [checkoutWithOwnStory, checkoutWithSharedStory] = [await setup.openAndPay(), await setup.openAndPay()];
  const stories = [
    await addOffsetter(db, orgId, { checkout_id: checkoutWithOwnStory.id }),
    await addOffsetter(db, orgId, { checkout_id: checkoutWithSharedStory.id }),
  ];
  const newCheckout = await setup.openAndPay();
  const linkStory = (checkout: string, story: string | undefined) =>
    db.kysely.updateTable('checkouts').set({ offsetter_id: story }).where('id', '=', checkout).execute();
  await linkStory(checkoutWithOwnStory.id, stories[0]);
  for (const { id } of [checkoutWithSharedStory, newCheckout]) await linkStory(id, stories[1]);
  const readRemainingStories = async () => {
    const rows = await db.kysely.selectFrom('offsetters').select('id').where('id', 'in', stories).execute();
    return rows.map(({ id }) => id);
  };
  for (const { id } of [checkoutWithOwnStory, checkoutWithSharedStory])
    expect(await requestDeletion(id)).toEqual([200]);
  expect(await readRemainingStories()).toEqual([stories[1]]);
});

test('a remaining story drops the deleted checkout’s offset, and its pages update', async () => {
  const flightCart = [{ type: 'offset', offsetType: 'air', cost: 48.3, carbon: 3864 }] as const;
  const [first, second] = [await setup.openCheckout(flightCart), await setup.openCheckout(flightCart)];
  for (const { paymentUrl } of [first, second]) await provider.pay(paymentUrl);
  await provider.deliverEvents();
  const offsetterId = await addOffsetter(db, orgId, { shows_pounds: true });
  const linkQuery = db.kysely.updateTable('checkouts').set({ offsetter_id: offsetterId });
  await linkQuery.where('id', 'in', [first.id, second.id]).execute();
  const readPounds = async () =>
    (await call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: offsetterId } })).json().pounds;
  expect(await readPounds()).toBe(2 * 3864);
  const changedOrgIds: (string | undefined)[] = [];
  await db.listen('org_changed', (payload) => void changedOrgIds.push(payload?.split(' ')[0]));
  // Waits for older events, which arrive first.
  await db.changes.announce([orgId]);
  await expect.poll(() => changedOrgIds).toContain(orgId);
  changedOrgIds.length = 0;
  expect(await requestDeletion(second.id)).toEqual([200]);
  await expect.poll(() => changedOrgIds).toContain(orgId);
  expect(await readPounds()).toBe(3864);
});

test('a deleted checkout is hidden from editors, search, and anyone with its link', async () => {
  const { id } = await setup.openAndPay();
  expect(await requestDeletion(id)).toEqual([200]);
  expect(await requestDeletion(id)).toEqual([404, 'checkout-not-found']);
  expect(readOutcome(await readRecord(id))).toEqual([404, 'checkout-not-found']);
  const results = await call(app, 'searchCheckouts', { params: { orgid: orgId }, as: edith, body: { query: id } });
  expect(results.json()).toEqual([]);
  const params = { orgid: orgId, checkoutid: id };
  expect(readOutcome(await call(app, 'readCheckout', { params }))).toEqual([404, 'checkout-not-found']);
  expect(readOutcome(await call(app, 'completeCheckout', { params }))).toEqual([404, 'checkout-not-found']);
});

test('an open payment page is closed and can no longer be paid', async () => {
  const openCheckout = await setup.openCheckout();
  expect(await requestDeletion(openCheckout.id)).toEqual([200]);
  await provider.pay(openCheckout.paymentUrl);
  await provider.deliverEvents();
  expect((await readRow(openCheckout.id)).payment_status).toBe('expired');
});

test('a checkout isn’t deleted while its payment is pending', async () => {
  const debit = await setup.openCheckout();
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliverEvents();
  expect((await readRow(debit.id)).payment_status).toBe('processing');
  expect(await requestDeletion(debit.id)).toEqual([409, 'checkout-processing']);
  expect(await readRow(debit.id)).toMatchObject({ deleted_at: null, email: 'payer@example.org' });
  const initialCents = await setup.readTotalCents();
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
  expect(await requestDeletion(debit.id)).toEqual([200]);
  expect(await readRow(debit.id)).toMatchObject({ payment_status: 'paid', email: null, display_name: null });
  expect(await setup.findDifferences()).toEqual([]);
});

test('a checkout paid just before its deletion still gets its receipt', async () => {
  const emailCount = setup.queuedReceipts.length;
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  expect(await requestDeletion(id)).toEqual([200]);
  expect(setup.queuedReceipts.length).toBe(emailCount + 1);
  await provider.deliverEvents();
  expect(await readRow(id)).toMatchObject({ payment_status: 'paid', email: null });
  expect(setup.queuedReceipts.length).toBe(emailCount + 1);
  const events = await setup.db.kysely
    .selectFrom('provider_events')
    .selectAll()
    .where('checkout_id', '=', id)
    .execute();
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ payload, outcome }) => payload !== null || outcome !== 'recorded')).toEqual([]);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a monthly gift is canceled at the provider before its checkout is deleted', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')]);
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
  const subscription = (await readRow(id)).provider_subscription_id ?? '';
  const depsWithFailure = {
    ...deps,
    payments: { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') },
  };
  expect(await deleteCheckout(depsWithFailure, { orgId, checkoutId: id })).toEqual(new Failure('checkout-not-closed'));
  expect(await requestDeletion(id)).toEqual([200]);
  expect((await provider.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
});

test('a monthly gift that starts after its checkout was deleted counts once and is canceled at the provider', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')]);
  const { provider_session_id: sessionId } = await readRow(id);
  // Simulates an editor who deletes the checkout at the moment its page opens.
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  expect(await requestDeletion(id)).toEqual([200]);
  const initialCents = await setup.readTotalCents();
  await provider.pay(paymentUrl);
  const payments = { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') };
  expect(await recordSession({ ...deps, payments }, sessionId ?? '')).toEqual(new Failure('payment-unavailable'));
  await provider.deliverEvents();
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
  const subscription = (await readRow(id)).provider_subscription_id ?? '';
  expect((await provider.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
});

test('the reason for a refund reported after the deletion isn’t stored', async () => {
  const { id, paymentUrl } = await setup.openAndPay();
  const chargeId = await provider.readChargeId(paymentUrl);
  const refundRequest = { reason: 'Ada Traceable asked for it', actorId: edith.userId, key: `after-${id}` };
  await provider.payments.refund({ charge: { chargeId }, amount: 500, ...refundRequest });
  expect(await requestDeletion(id)).toEqual([200]);
  await provider.deliverEvents();
  const payments = db.kysely.selectFrom('payments').select('entry_id').where('checkout_id', '=', id);
  const returns = await db.kysely.selectFrom('payment_returns').selectAll().where('entry_id', 'in', payments).execute();
  expect(returns).toMatchObject([{ amount_cents: 500, reason: null }]);
});

test('a checkout isn’t deleted while the provider can’t be reached', async () => {
  const { id } = await setup.openCheckout();
  const depsWithoutProvider = { ...deps, payments: unreachableProvider };
  const key = { orgId, checkoutId: id };
  expect(await deleteCheckout(depsWithoutProvider, key)).toEqual(new Failure('checkout-not-closed'));
  expect(await readRow(id)).toMatchObject({ deleted_at: null });
  setup.clock.advance(25 * HOUR);
  expect(await deleteCheckout(depsWithoutProvider, key)).toEqual(new Failure('checkout-not-closed'));
});
