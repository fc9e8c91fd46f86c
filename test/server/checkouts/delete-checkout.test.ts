// @spec 2.checkouts-screen 4.delete-checkout 7.delete-checkout decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { deleteCheckout } from '#server/features/checkouts/delete-checkout.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { asOwner } from '#test/support/as-owner.ts';
import { noProvider } from '#test/support/build-app.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { HOUR } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { findTraces } from '#test/support/person-traces.ts';
import { signIn } from '#test/support/sign-in.ts';

const giving: Giving = await startGiving();
const { db, deps, app, orgId: orgid, provider } = giving;
const edith = await signIn(deps, { editorOf: [orgid], email: 'edith@example.net' });

const remove = async (checkoutid: string) =>
  outcomeOf(await call(app, 'deleteCheckout', { params: { orgid, checkoutid }, as: edith }));
const record = (checkoutid: string) => call(app, 'readCheckoutRecord', { params: { orgid, checkoutid }, as: edith });
const rowOf = (id: string) =>
  db.kysely.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test("a checkout's record has its whole history, oldest first", async () => {
  const { id } = await giving.openPaid();
  const mailer = { send: async () => {}, close: async () => {} };
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId: orgid, receiptNumber: giving.queuedReceipts.at(-1) ?? 0 });
  await addOffsetter(db, orgid, { checkout_id: id, name: 'Paula', status: 'draft' });
  const checkoutRecord = (await record(id)).json<CheckoutRecord>();
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

test('a deleted checkout leaves no name or address, and an unchanged ledger', async () => {
  const ada = await signIn(deps, { email: 'ada.trace@example.org', name: 'Ada Traceable' });
  const { id } = await giving.openPaid({ orgId: orgid, as: ada });
  await db.kysely.updateTable('checkouts').set({ email: ada.email }).where('id', '=', id).execute();
  await asOwner(db, (tx) =>
    tx
      .updateTable('receipts')
      .set({ email: ada.email, name: 'Ada Traceable', document: sql`document || '{"donor": "Ada Traceable"}'` })
      .where('checkout_id', '=', id)
      .execute(),
  );
  const initialCents = await giving.cents();
  expect(await remove(id)).toEqual([200]);
  // The donor hasn't received the receipt yet.
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId: orgid, receiptNumber: giving.queuedReceipts.at(-1) ?? 0 });
  expect(sent).toMatchObject([{ to: ada.email, text: expect.stringContaining('Dear Ada Traceable,') }]);
  const traces = await findTraces(db, [ada.email, 'Ada Traceable', ada.userId]);
  expect(Object.keys(traces).toSorted()).toEqual(['activities', 'sessions', 'users']);
  expect(await giving.cents()).toBe(initialCents);
  expect(await giving.differences()).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ total_cents: 2500, payment_status: 'paid', provider_customer_id: null });
});

test('a checkout’s story is deleted with it unless the donor gave again', async () => {
  const [once, twice] = [await giving.openPaid(), await giving.openPaid()];
  const stories = [
    await addOffsetter(db, orgid, { checkout_id: once.id }),
    await addOffsetter(db, orgid, { checkout_id: twice.id }),
  ];
  const newCheckout = await giving.openPaid();
  const tell = (checkout: string, story: string | undefined) =>
    db.kysely.updateTable('checkouts').set({ offsetter_id: story }).where('id', '=', checkout).execute();
  await tell(once.id, stories[0]);
  for (const { id } of [twice, newCheckout]) await tell(id, stories[1]);
  const remainingTraces = async () => {
    const rows = await db.kysely.selectFrom('offsetters').select('id').where('id', 'in', stories).execute();
    return rows.map(({ id }) => id);
  };
  for (const { id } of [once, twice]) expect(await remove(id)).toEqual([200]);
  expect(await remainingTraces()).toEqual([stories[1]]);
});

test('a remaining story drops the deleted checkout’s offset, and its pages update', async () => {
  const flown = [{ type: 'offset', offsetType: 'air', cost: 48.3, carbon: 3864 }] as const;
  const [first, second] = [await giving.open(flown), await giving.open(flown)];
  for (const { paymentUrl } of [first, second]) await provider.pay(paymentUrl);
  await provider.deliver();
  const offsetterid = await addOffsetter(db, orgid, { shows_pounds: true });
  const linkBoth = db.kysely.updateTable('checkouts').set({ offsetter_id: offsetterid });
  await linkBoth.where('id', 'in', [first.id, second.id]).execute();
  const pounds = async () => (await call(app, 'readOffsetter', { params: { orgid, offsetterid } })).json().pounds;
  expect(await pounds()).toBe(2 * 3864);
  const accountIds: (string | undefined)[] = [];
  await db.listen('org_changed', (payload) => void accountIds.push(payload?.split(' ')[0]));
  // Older events come first.
  await db.changes.announce([orgid]);
  await expect.poll(() => accountIds).toContain(orgid);
  accountIds.length = 0;
  expect(await remove(second.id)).toEqual([200]);
  await expect.poll(() => accountIds).toContain(orgid);
  expect(await pounds()).toBe(3864);
});

test('a deleted checkout is gone for editors, search, and anyone with its link', async () => {
  const { id } = await giving.openPaid();
  expect(await remove(id)).toEqual([200]);
  expect(await remove(id)).toEqual([404, 'checkout-not-found']);
  expect(outcomeOf(await record(id))).toEqual([404, 'checkout-not-found']);
  const results = await call(app, 'searchCheckouts', { params: { orgid }, as: edith, body: { query: id } });
  expect(results.json()).toEqual([]);
  const params = { orgid, checkoutid: id };
  expect(outcomeOf(await call(app, 'readCheckout', { params }))).toEqual([404, 'checkout-not-found']);
  expect(outcomeOf(await call(app, 'completeCheckout', { params }))).toEqual([404, 'checkout-not-found']);
});

test('an open payment page is closed and can’t be paid anymore', async () => {
  const openCheckout = await giving.open();
  expect(await remove(openCheckout.id)).toEqual([200]);
  await provider.pay(openCheckout.paymentUrl);
  await provider.deliver();
  expect((await rowOf(openCheckout.id)).payment_status).toBe('expired');
});

test('a checkout isn’t deleted while its payment is pending', async () => {
  const debit = await giving.open();
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliver();
  expect((await rowOf(debit.id)).payment_status).toBe('processing');
  expect(await remove(debit.id)).toEqual([409, 'checkout-processing']);
  expect(await rowOf(debit.id)).toMatchObject({ deleted_at: null, email: 'payer@example.org' });
  const initialCents = await giving.cents();
  await provider.resolveDebits('settle');
  await provider.deliver();
  expect(await giving.cents()).toBe(initialCents + 2500);
  expect(await remove(debit.id)).toEqual([200]);
  expect(await rowOf(debit.id)).toMatchObject({ payment_status: 'paid', email: null, display_name: null });
  expect(await giving.differences()).toEqual([]);
});

test('a checkout paid just before its deletion still gets its receipt', async () => {
  const mailCount = giving.queuedReceipts.length;
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  expect(await remove(id)).toEqual([200]);
  expect(giving.queuedReceipts.length).toBe(mailCount + 1);
  await provider.deliver();
  expect(await rowOf(id)).toMatchObject({ payment_status: 'paid', email: null });
  expect(giving.queuedReceipts.length).toBe(mailCount + 1);
  const events = await giving.db.kysely
    .selectFrom('provider_events')
    .selectAll()
    .where('checkout_id', '=', id)
    .execute();
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ payload, outcome }) => payload !== null || outcome !== 'recorded')).toEqual([]);
  expect(await giving.differences()).toEqual([]);
});

test('a monthly gift is ended at the provider before its checkout is deleted', async () => {
  const { id, paymentUrl } = await giving.open([donationItem(25, 'month')]);
  await provider.pay(paymentUrl);
  await provider.deliver();
  const subscription = (await rowOf(id)).provider_subscription_id ?? '';
  const out = {
    ...deps,
    payments: { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') },
  };
  expect(await deleteCheckout(out, { orgId: orgid, checkoutId: id })).toEqual(new Failure('checkout-not-closed'));
  expect(await remove(id)).toEqual([200]);
  expect((await provider.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
});

test('a monthly gift that starts after its checkout was deleted counts once and is ended at the provider', async () => {
  const { id, paymentUrl } = await giving.open([donationItem(25, 'month')]);
  const { provider_session_id: sessionId } = await rowOf(id);
  // Simulates an editor who deletes the checkout at the moment its page opens.
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  expect(await remove(id)).toEqual([200]);
  const initialCents = await giving.cents();
  await provider.pay(paymentUrl);
  const payments = { ...deps.payments, cancelSubscription: async () => new Failure('payment-unavailable') };
  expect(await recordSession({ ...deps, payments }, sessionId ?? '')).toEqual(new Failure('payment-unavailable'));
  await provider.deliver();
  expect(await giving.cents()).toBe(initialCents + 2500);
  const subscription = (await rowOf(id)).provider_subscription_id ?? '';
  expect((await provider.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
});

test('the reason of a refund reported after the deletion isn’t kept', async () => {
  const { id, paymentUrl } = await giving.openPaid();
  const chargeId = await provider.chargeOf(paymentUrl);
  const refundRequest = { reason: 'Ada Traceable asked for it', actorId: edith.userId, key: `after-${id}` };
  await provider.payments.refund({ charge: { chargeId }, amount: 500, ...refundRequest });
  expect(await remove(id)).toEqual([200]);
  await provider.deliver();
  const payments = db.kysely.selectFrom('payments').select('entry_id').where('checkout_id', '=', id);
  const returns = await db.kysely.selectFrom('payment_returns').selectAll().where('entry_id', 'in', payments).execute();
  expect(returns).toMatchObject([{ amount_cents: 500, reason: null }]);
});

test('a checkout isn’t deleted while the provider can’t be reached', async () => {
  const { id } = await giving.open();
  const out = { ...deps, payments: noProvider };
  const key = { orgId: orgid, checkoutId: id };
  expect(await deleteCheckout(out, key)).toEqual(new Failure('checkout-not-closed'));
  expect(await rowOf(id)).toMatchObject({ deleted_at: null });
  giving.clock.pass(25 * HOUR);
  expect(await deleteCheckout(out, key)).toEqual(new Failure('checkout-not-closed'));
});
