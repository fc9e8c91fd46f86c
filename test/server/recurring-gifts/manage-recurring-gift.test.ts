// @spec decisions.3 decisions.4
// Slow because its gifts are paid, renewed, and changed at the provider.
import { afterEach, expect, test } from 'vitest';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { Giving as MyGiving } from '#contract/schemas/users.ts';
import { donationItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordInvoice } from '#server/features/payments/record-invoice.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { saveSubscription } from '#server/features/recurring-gifts/record-subscription.ts';
import {
  sendChangedRecurringGiftEmail,
  sendEndedRecurringGiftEmail,
  sendFailedRenewalEmail,
} from '#server/features/recurring-gifts/recurring-gift-emails.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, unreachableProvider } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { PAYER } from '#test/support/card-provider.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, deps, app, orgId, provider } = setup;
/** Test card that accepts only the first payment. */
const CARD_DECLINED_AT_RENEWAL = '4000 0000 0000 0341';

const { userId: donorId } = await signIn(deps, { email: PAYER.email });
/** Logs the donor in again because the clock moves by months. */
const logInDonor = () => signIn(deps, { userId: donorId });

async function addMonthlyGift(cart = [donationItem(10, 'month'), donationItem(15)], card?: string) {
  const { id, paymentUrl } = await setup.openCheckout(cart);
  await provider.pay(paymentUrl, card);
  await provider.deliverEvents();
  const row = await readRow(id);
  return { id, params: { orgid: orgId, giftkey: row.page_key }, subscription: row.id };
}

function readRow(checkoutId: string) {
  return db.kysely
    .selectFrom('subscriptions')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirstOrThrow();
}

async function passTime(fields: Record<string, string>): Promise<void> {
  await provider.submitDashboardForm('clock', fields);
  await provider.deliverEvents();
}

const DAY_SECONDS = 24 * 60 * 60;
const passDays = (count: number) => passTime({ seconds: String(count * DAY_SECONDS) });

const readRenewals = (checkoutId: string) =>
  db.kysely
    .selectFrom('ledger_entries')
    .leftJoin('receipts', 'receipts.ledger_entry_id', 'ledger_entries.id')
    .select(['ledger_entries.amount_cents', 'document'])
    .where('ledger_entries.checkout_id', '=', checkoutId)
    .where('kind', '=', 'renewal')
    .orderBy('occurred_at')
    .execute();
/** Lists the changes of a gift that its donor is emailed about. */
const findChanges = (subscription: string) =>
  jobs
    .findPayloads(sendChangedRecurringGiftEmail)
    .filter(({ subscriptionId }) => subscriptionId === subscription)
    .map(({ change }) => change);
const readProviderSubscription = (subscription: string) => provider.stripe.subscriptions.retrieve(subscription);
const appWithoutProvider = await buildTestApp({ ...deps, payments: unreachableProvider });

function createMailbox() {
  const sentEmails: Email[] = [];
  return {
    sentEmails,
    mailer: { send: async (email: Email) => void sentEmails.push(email) },
  };
}

// Otherwise, moving the clock would renew the gifts of all earlier tests.
afterEach(async () => {
  await provider.endSubscriptions();
  await provider.deliverEvents();
});

test('the link shows the gift without a login; a wrong link is rejected', async () => {
  const { params } = await addMonthlyGift();
  const response = await call(app, 'readRecurringGift', { params });
  expect(response.json<RecurringGift>()).toEqual({
    status: 'active',
    amount: 10,
    coveredFee: 0,
    unit: 'month',
    count: 1,
    endedUnpaid: false,
    nextChargeOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  for (const wrongParams of [
    { orgid: orgId, giftkey: 'guessed' },
    { ...params, orgid: await addOrg(db) },
  ]) {
    expect(readOutcome(await call(app, 'readRecurringGift', { params: wrongParams }))).toEqual([404, 'gift-not-found']);
    expect(readOutcome(await call(app, 'stopRecurringGift', { params: wrongParams }))).toEqual([404, 'gift-not-found']);
  }
});

test('each receipt email links to the gift, and opening the link doesn’t stop it', async () => {
  const { id, params, subscription } = await addMonthlyGift();
  const receiptNumber = jobs.findPayloads(sendReceiptEmail).at(-1)?.receiptNumber ?? 0;
  const { sentEmails, mailer } = createMailbox();
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, mailingId: 'first' });
  const link = `https://fund.example/orgs/${orgId}/gifts/${params.giftkey}`;
  expect(sentEmails[0]?.text).toContain(`Manage your gift:\n${link}\n`);
  const receipt = await db.kysely
    .selectFrom('receipts')
    .select('document')
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(receipt.document)).not.toContain(params.giftkey);
  await call(app, 'readRecurringGift', { params });
  expect(await readProviderSubscription(subscription)).toMatchObject({ status: 'active' });
});

test('a stale read of the old gift during a change doesn’t undo it', async () => {
  const { params } = await addMonthlyGift();
  let time = deps.now().getTime();
  const now = () => {
    time += 1;
    return new Date(time);
  };
  const payments: typeof deps.payments = {
    ...deps.payments,
    changeSubscription: async (id, change) => {
      const staleReading = await deps.payments.readSubscription(id);
      const checkedAt = now();
      const changedSubscription = await deps.payments.changeSubscription(id, change);
      if (staleReading instanceof Failure || staleReading === 'unknown') throw new Error('The gift must exist.');
      await inTransaction(db, (tx) => saveSubscription(tx, deps, staleReading, checkedAt));
      return changedSubscription;
    },
  };
  const racingApp = await buildTestApp({ ...deps, payments, now });
  for (const paused of [true, false]) {
    const response = await call(racingApp, 'pauseRecurringGift', { params, body: { paused } });
    expect(response.json()).toMatchObject({ status: paused ? 'paused' : 'active' });
  }
});

test('stopping ends the gift at the provider, and clicking twice is harmless', async () => {
  const { id, params, subscription } = await addMonthlyGift();
  for (let index = 0; index < 2; index += 1) {
    const response = await call(app, 'stopRecurringGift', { params });
    expect(response.json()).toMatchObject({ status: 'canceled', nextChargeOn: null, endedUnpaid: false });
  }
  expect(await readProviderSubscription(subscription)).toMatchObject({ status: 'canceled' });
  await passTime({ months: '2' });
  expect(await readRenewals(id)).toEqual([]);
  expect(readOutcome(await call(app, 'changeRecurringGiftCard', { params }))).toEqual([409, 'gift-ended']);
  expect(readOutcome(await call(app, 'pauseRecurringGift', { params, body: { paused: true } }))).toEqual([
    409,
    'gift-ended',
  ]);
});

test('stopping a gift in two tabs at the same time sends one email', async () => {
  const { params, subscription } = await addMonthlyGift();
  const bothRequests = Promise.withResolvers<void>();
  let requestCount = 0;
  const payments: typeof deps.payments = {
    ...deps.payments,
    cancelSubscription: async (id) => {
      requestCount += 1;
      if (requestCount === 2) bothRequests.resolve();
      await bothRequests.promise;
      return deps.payments.cancelSubscription(id);
    },
  };
  const slowApp = await buildTestApp({ ...deps, payments });
  const responses = await Promise.all([1, 2].map(() => call(slowApp, 'stopRecurringGift', { params })));
  expect(responses.map(readOutcome)).toEqual([[200], [200]]);
  expect(findChanges(subscription)).toEqual(['stopped']);
});

test('a stop whose response is lost is confirmed by the provider’s report, once', async () => {
  const { params, subscription } = await addMonthlyGift();
  const { subscription: otherSubscription } = await addMonthlyGift();
  const payments: typeof deps.payments = {
    ...deps.payments,
    cancelSubscription: async (id) => {
      await deps.payments.cancelSubscription(id);
      return new Failure('payment-unavailable');
    },
  };
  const appWithLostResponse = await buildTestApp({ ...deps, payments });
  expect(readOutcome(await call(appWithLostResponse, 'stopRecurringGift', { params }))).toEqual([
    503,
    'gift-not-stopped',
  ]);
  expect(findChanges(subscription)).toEqual([]);
  await provider.endSubscriptions();
  await provider.deliverEvents();
  expect((await call(app, 'stopRecurringGift', { params })).json()).toMatchObject({ status: 'canceled' });
  expect(findChanges(subscription)).toEqual(['stopped']);
  // The other gift was stopped at the provider, not here.
  expect(findChanges(otherSubscription)).toEqual([]);
});

test('while the provider is unreachable, nothing is reported as stopped or changed', async () => {
  const { id, params } = await addMonthlyGift();
  expect(readOutcome(await call(appWithoutProvider, 'stopRecurringGift', { params }))).toEqual([
    503,
    'gift-not-stopped',
  ]);
  expect(readOutcome(await call(appWithoutProvider, 'changeRecurringGiftCard', { params }))).toEqual([
    503,
    'gift-not-changed',
  ]);
  const body = { amount: 20, unit: 'month', count: 1 } as const;
  expect(
    readOutcome(await call(appWithoutProvider, 'changeRecurringGift', { params, body, as: await logInDonor() })),
  ).toEqual([503, 'gift-not-changed']);
  expect(await readRow(id)).toMatchObject({ status: 'active', canceled_at: null, amount_cents: 1000 });
  setup.clock.advance(HOUR);
  expect((await call(appWithoutProvider, 'readRecurringGift', { params })).json()).toMatchObject({
    status: 'active',
    amount: 10,
  });
});

test('a changed amount applies starting with the next charge and appears on its receipt', async () => {
  const { id, params } = await addMonthlyGift([
    donationItem(10, 'month'),
    withRecurrence(offsetItem('car', 800), 'month'),
  ]);
  const initialRow = await readRow(id);
  const body = { amount: 40, unit: 'month', count: 1 } as const;
  const response = await call(app, 'changeRecurringGift', { params, body, as: await logInDonor() });
  expect(response.json()).toMatchObject({ status: 'active', amount: 40 });
  await provider.deliverEvents();
  expect(await readRenewals(id)).toEqual([]);
  expect((await readRow(id)).next_charge_at).toEqual(initialRow.next_charge_at);
  await passTime({ months: '1' });
  const [renewal] = await readRenewals(id);
  expect(renewal).toMatchObject({ amount_cents: 4000, document: { amount: 4000, lines: [{ amount: 4000 }] } });
  expect(renewal?.document?.renewal[0]).toBe('You will be charged $40.00 every month until you stop it.');
  expect(await setup.findDifferences()).toEqual([]);
});

test('a changed interval starts on the next charge date, and nothing is charged before then', async () => {
  const { id, params } = await addMonthlyGift([withRecurrence(offsetItem('car', 802), 'month')]);
  const { next_charge_at: nextChargeAt, amount_cents: amount } = await readRow(id);
  const response = await call(app, 'changeRecurringGift', { params, body: { unit: 'year', count: 1 } });
  expect(response.json()).toMatchObject({ status: 'active', unit: 'year', count: 1 });
  await provider.deliverEvents();
  expect(await readRow(id)).toMatchObject({
    next_charge_at: nextChargeAt,
    amount_cents: amount,
    interval_unit: 'year',
  });
  expect(await readRenewals(id)).toEqual([]);
  await passTime({ months: '1' });
  expect(await readRenewals(id)).toMatchObject([{ amount_cents: amount }]);
  await passTime({ months: '3' });
  expect(await readRenewals(id)).toHaveLength(1);
  const [renewal] = await readRenewals(id);
  expect(renewal?.document?.renewal[0]).toMatch(/every year until you stop it\.$/);
});

test.each([
  [{ amount: 0, unit: 'month', count: 1 }, 'amount-not-whole-dollars'],
  [{ amount: 0.01, unit: 'month', count: 1 }, 'amount-not-whole-dollars'],
  [{ amount: 12.5, unit: 'month', count: 1 }, 'amount-not-whole-dollars'],
  [{ amount: -5, unit: 'month', count: 1 }, 'amount-not-whole-dollars'],
  [{ amount: 1e21, unit: 'month', count: 1 }, 'amount-not-whole-dollars'],
  [{ amount: 10_000_000, unit: 'month', count: 1 }, 'cart-above-maximum'],
  [{ amount: 10, unit: 'month', count: 0 }, 'interval-out-of-range'],
  [{ amount: 10, unit: 'month', count: 37 }, 'interval-out-of-range'],
  [{ amount: 10, unit: 'year', count: 2 }, 'yearly-interval'],
] as const)('%j is rejected', async (body, code) => {
  const { params } = { params: { orgid: orgId, giftkey: 'any' } };
  expect(readOutcome(await call(app, 'changeRecurringGift', { params, body }))).toEqual([422, code]);
});

test('a paused gift isn’t charged until it’s resumed, and is never charged for the pause', async () => {
  const { id, params } = await addMonthlyGift();
  expect((await call(app, 'pauseRecurringGift', { params, body: { paused: true } })).json()).toMatchObject({
    status: 'paused',
    nextChargeOn: null,
  });
  await passTime({ months: '2' });
  expect(await readRenewals(id)).toEqual([]);
  expect((await call(app, 'pauseRecurringGift', { params, body: { paused: false } })).json()).toMatchObject({
    status: 'active',
    nextChargeOn: expect.any(String),
  });
  await passTime({ months: '1' });
  expect(await readRenewals(id)).toHaveLength(1);
});

test('a declined card sends one email per attempt, and a new card succeeds', async () => {
  const { id, params } = await addMonthlyGift([donationItem(10, 'month')], CARD_DECLINED_AT_RENEWAL);
  const emailCount = jobs.findPayloads(sendFailedRenewalEmail).length;
  await passTime({ months: '1' });
  const queuedEmails = jobs.findPayloads(sendFailedRenewalEmail).slice(emailCount);
  expect(queuedEmails).toMatchObject([{ attempt: 1 }]);
  await recordInvoice(deps, queuedEmails[0]?.invoiceId ?? '');
  expect(jobs.findPayloads(sendFailedRenewalEmail).slice(emailCount)).toEqual(queuedEmails);
  expect(await readRow(id)).toMatchObject({ status: 'past_due', next_charge_at: expect.any(Date) });
  const { sentEmails, mailer } = createMailbox();
  for (const job of queuedEmails) await sendFailedRenewalEmail.run({ ...deps, mailer }, job);
  expect(sentEmails).toMatchObject([
    { to: 'payer@example.org', subject: expect.stringContaining('We couldn’t charge your card') },
  ]);
  expect(sentEmails[0]?.text).toContain('the payment didn’t go through');
  expect(sentEmails[0]?.text).toMatch(/We’ll try again around \w+ \d+, \d{4}\./);
  expect(sentEmails[0]?.text).toContain(`/orgs/${orgId}/gifts/${params.giftkey}`);
  await db.kysely.updateTable('checkouts').set({ language: 'es' }).where('id', '=', id).execute();
  for (const job of queuedEmails) await sendFailedRenewalEmail.run({ ...deps, mailer }, job);
  expect(sentEmails.pop()?.text).toContain(`\nhttps://fund.example/es/orgs/${orgId}/gifts/${params.giftkey}\n`);
  expect(readOutcome(await call(app, 'pauseRecurringGift', { params, body: { paused: true } }))).toEqual([
    409,
    'gift-past-due',
  ]);
  const { url } = (await call(app, 'changeRecurringGiftCard', { params, language: 'es' })).json<{ url: string }>();
  const card = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' });
  const response = await fetch(`${url}/card`, { method: 'POST', body: card, redirect: 'manual' });
  expect(response.headers.get('location')).toBe(`https://fund.example/es/orgs/${orgId}/gifts/${params.giftkey}`);
  await provider.deliverEvents();
  expect(await readRenewals(id)).toMatchObject([{ amount_cents: 1000 }]);
  expect(await readRow(id)).toMatchObject({ status: 'active' });
  // No email is sent if the gift has since been paid.
  for (const job of queuedEmails) await sendFailedRenewalEmail.run({ ...deps, mailer }, job);
  expect(sentEmails).toHaveLength(1);
});

test('when the provider gives up, the gift ends, and its donor gets one email', async () => {
  const { id, subscription } = await addMonthlyGift([donationItem(10, 'month')], CARD_DECLINED_AT_RENEWAL);
  await passTime({ months: '1' });
  for (let week = 0; week < 6; week += 1) await passDays(7);
  expect(await readRow(id)).toMatchObject({ status: 'canceled', ended_unpaid: true, canceled_at: expect.any(Date) });
  const queuedEmails = jobs
    .findPayloads(sendEndedRecurringGiftEmail)
    .filter(({ subscriptionId }) => subscriptionId === subscription);
  expect(queuedEmails).toHaveLength(1);
  const attempts = await db.kysely
    .selectFrom('failed_renewals')
    .select('attempt')
    .where('subscription_id', '=', subscription)
    .orderBy('attempt')
    .execute();
  expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, index) => index + 1));
  const { sentEmails, mailer } = createMailbox();
  for (const job of queuedEmails) await sendEndedRecurringGiftEmail.run({ ...deps, mailer }, job);
  expect(sentEmails[0]?.text).toContain('Your recurring gift of $10.00 every month');
  expect(sentEmails[0]?.text).toContain('You won’t be charged again.');
  const fields = { payer_erased_at: deps.now() };
  await db.kysely.updateTable('checkouts').set(fields).where('id', '=', id).execute();
  for (const job of queuedEmails) await sendEndedRecurringGiftEmail.run({ ...deps, mailer }, job);
  expect(sentEmails).toHaveLength(1);
});

test('a donor sees recurring gifts in My giving, and editors see and stop them in the checkout record', async () => {
  const donor = await signIn(deps, { email: 'monthly.giver@example.org' });
  const edith = await signIn(deps, { editorOf: [orgId], email: 'edith@example.net' });
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')], { as: donor });
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
  const readOwnGifts = async () =>
    (await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor })).json<MyGiving>().recurring;
  expect(await readOwnGifts()).toMatchObject([
    { orgid: orgId, giftkey: (await readRow(id)).page_key, status: 'active', amount: 25 },
  ]);
  const params = { orgid: orgId, checkoutid: id };
  const readRecord = async () =>
    (await call(app, 'readCheckoutRecord', { params, as: edith })).json<CheckoutRecord>().recurringGift;
  expect(await readRecord()).toMatchObject({ status: 'active', amount: 25 });
  const initialCents = await setup.readTotalCents();
  expect(readOutcome(await call(app, 'stopRecurringGiftOfCheckout', { params, as: donor }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(readOutcome(await call(app, 'stopRecurringGiftOfCheckout', { params, as: edith }))).toEqual([200]);
  expect(await readRecord()).toMatchObject({ status: 'canceled' });
  expect(await readOwnGifts()).toMatchObject([{ status: 'canceled' }]);
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test('deleting the checkout of a past-due gift ends the gift', async () => {
  const edith = await signIn(deps, { editorOf: [orgId], email: 'ed@example.net' });
  const { id, subscription } = await addMonthlyGift([donationItem(10, 'month')], CARD_DECLINED_AT_RENEWAL);
  await passTime({ months: '1' });
  expect(await readRow(id)).toMatchObject({ status: 'past_due' });
  const params = { orgid: orgId, checkoutid: id };
  expect(readOutcome(await call(app, 'deleteCheckout', { params, as: edith }))).toEqual([200]);
  expect(await readProviderSubscription(subscription)).toMatchObject({ status: 'canceled' });
  await passDays(7);
  expect(await readRenewals(id)).toEqual([]);
});

test('anyone with the link can lower a gift, but only its donor can raise it or make it more frequent', async () => {
  const { params } = await addMonthlyGift();
  const changeRecurringGift = async (
    body: { amount?: number; unit: 'month' | 'year'; count: number },
    as?: SignedInPerson,
  ) => readOutcome(await call(app, 'changeRecurringGift', { params, body, ...(as ? { as } : {}) }));
  const stranger = await signIn(deps, { email: 'stranger@example.org', editorOf: [orgId] });
  const rejection = [403, 'gift-raise-needs-login'];
  expect(await changeRecurringGift({ amount: 11, unit: 'month', count: 1 })).toEqual(rejection);
  expect(await changeRecurringGift({ amount: 11, unit: 'month', count: 1 }, stranger)).toEqual(rejection);
  expect(await changeRecurringGift({ amount: 5, unit: 'year', count: 1 })).toEqual([200]);
  expect(await changeRecurringGift({ unit: 'month', count: 6 })).toEqual(rejection);
  expect(await changeRecurringGift({ unit: 'month', count: 6 }, stranger)).toEqual(rejection);
  expect(await changeRecurringGift({ amount: 50, unit: 'month', count: 1 }, await logInDonor())).toEqual([200]);
});

// @asvs 16.2.1
test('each change is emailed to the donor and recorded with the requesting address', async () => {
  const { params, subscription } = await addMonthlyGift();
  const emailCount = jobs.findPayloads(sendChangedRecurringGiftEmail).length;
  await call(app, 'pauseRecurringGift', { params, body: { paused: true } });
  await call(app, 'pauseRecurringGift', { params, body: { paused: false } });
  await call(app, 'changeRecurringGift', { params, body: { amount: 5, unit: 'month', count: 2 } });
  await call(app, 'stopRecurringGift', { params });
  const queuedEmails = jobs.findPayloads(sendChangedRecurringGiftEmail).slice(emailCount);
  expect(queuedEmails.map(({ change }) => change)).toEqual(['paused', 'resumed', 'changed', 'stopped']);
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const data of queuedEmails) await sendChangedRecurringGiftEmail.run({ ...deps, mailer }, data);
  expect(sentEmails.map(({ to }) => to)).toEqual(Array(4).fill(PAYER.email));
  expect(sentEmails[2]?.text).toContain('Your gift changed from $10.00 every month to $5.00 every 2 months.');
  expect(sentEmails.at(-1)?.text).toContain('This recurring gift came to $25.');
  expect(sentEmails.at(-1)?.text).toContain('You won’t be charged again');
  for (const { text } of sentEmails) expect(text).toMatch(/Where your gift went:\nhttps:\S+\/homes\n/);
  expect(new Set(sentEmails.map(({ messageKey }) => messageKey)).size).toBe(4);
  const { rows } = await db.pool.query(
    `select after ->> 'request' as request, ip_address from activities where kind = 'gift' and verb = 'done' and subject = $1
     order by id`,
    [subscription],
  );
  expect(rows).toEqual(['pause', 'resume', 'change', 'stop'].map((request) => ({ request, ip_address: '127.0.0.1' })));
});

test('the link works until a year after the gift ended', async () => {
  const { params } = await addMonthlyGift();
  await call(app, 'stopRecurringGift', { params });
  setup.clock.advance(364 * DAY);
  expect(readOutcome(await call(app, 'readRecurringGift', { params }))).toEqual([200]);
  setup.clock.advance(2 * DAY);
  expect(readOutcome(await call(app, 'readRecurringGift', { params }))).toEqual([404, 'gift-not-found']);
});

test('limits how often one client can change gifts', async () => {
  const { params } = await addMonthlyGift();
  // Failed changes count too, and are faster.
  for (let index = 0; index < 20; index += 1)
    await call(appWithoutProvider, 'pauseRecurringGift', { params, body: { paused: true } });
  expect(readOutcome(await call(app, 'pauseRecurringGift', { params, body: { paused: true } }))).toEqual([
    429,
    'too-many-requests',
  ]);
});
