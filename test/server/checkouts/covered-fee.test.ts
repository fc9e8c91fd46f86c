// @spec 7.create-checkout
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { donationItem, MAX_CHECKOUT, type SubmittedItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { readCheckoutRecord } from '#server/features/checkout-search/checkout-records.ts';
import { exportLedger } from '#server/features/treasury/export-ledger.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { PAYER } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, app, orgId, provider } = setup;

/** The clock moves by months, so the donor must log in again before increasing a gift. */
const signInPayer = async () => {
  const user = await db.kysely.selectFrom('users').select('id').where('email', '=', PAYER.email).executeTakeFirst();
  return signIn(deps, user ? { userId: user.id } : { email: PAYER.email });
};

async function giveWithFee(cart: readonly SubmittedItem[]) {
  const { id, paymentUrl: url } = await setup.openCheckout(cart, { orgId, coversFee: true });
  const { data } = await provider.stripe.checkout.sessions.listLineItems(url.split('/').at(-1) ?? '');
  await provider.pay(url);
  await provider.deliverEvents();
  return {
    id,
    lines: data.map(({ description, amount_total, price }) => [description, amount_total, price?.recurring?.interval]),
  };
}

/** Receipts of a checkout, oldest first. */
async function readReceipts(checkoutId: string) {
  const rows = await db.kysely
    .selectFrom('receipts')
    .select('document')
    .where('checkout_id', '=', checkoutId)
    .orderBy('number')
    .execute();
  return rows.map(({ document }) => ({
    amount: document?.amount,
    lines: document?.lines.map(({ text, amount }) => [text, amount]),
    renewal: document?.renewal[0],
  }));
}

const readSubscription = (checkoutId: string) =>
  db.kysely
    .selectFrom('subscriptions')
    .select(['id', 'page_key'])
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirstOrThrow();

const passMonths = async (months: number) => {
  await provider.submitDashboardForm('clock', { months: String(months) });
  await provider.deliverEvents();
};

const FEE_LINE = 'Added to cover the card fee';

// Moving the clock would renew the gifts of all earlier tests.
afterEach(async () => {
  await provider.endSubscriptions();
  await provider.deliverEvents();
});

test('a gift that covers the fee counts in full, with the fee on its receipt, record, and CSV', async () => {
  const { id, lines } = await giveWithFee([donationItem(100)]);
  expect(lines).toEqual([
    ['Donation', 10_000, undefined],
    ['Card fee', 330, undefined],
  ]);
  expect(await setup.readCheckout(id)).toMatchObject({ paymentStatus: 'paid', total: 103.3, coveredFee: 3.3 });
  expect(await readReceipts(id)).toEqual([
    {
      amount: 10_330,
      lines: [
        ['Donation to carbon offset program', 10_000],
        [FEE_LINE, 330],
      ],
      renewal: undefined,
    },
  ]);
  const record = (await readCheckoutRecord(deps, { orgId, checkoutId: id })) as CheckoutRecord;
  expect(record).toMatchObject({
    total: 103.3,
    coveredFee: 3.3,
    cart: [{ cost: 100 }],
    payments: [{ amount: 103.3, coveredFee: 3.3, fee: 3.3, net: 100 }],
  });
  const file = await exportLedger(db, (await findOrg(db, orgId)) as OrgWithTimeZone, {});
  if (file instanceof Failure) throw file;
  const [headerRow = '', firstRow = ''] = (await text(Readable.from(file.file.content))).split('\r\n');
  const cells = Object.fromEntries(headerRow.split(',').map((name, index) => [name, firstRow.split(',')[index]]));
  expect(cells).toMatchObject({ Gross: '103.30', 'Covered fee': '3.30', Fee: '3.30', Net: '100.00' });
  expect(await setup.findDifferences()).toEqual([]);
});

test('a recurring gift covers its own fee each time, even after its amount changed', async () => {
  const { id, lines } = await giveWithFee([donationItem(50, 'month'), donationItem(100)]);
  expect(lines).toEqual([
    ['Donation', 5000, 'month'],
    ['Card fee', 180, 'month'],
    ['Donation', 10_000, undefined],
    ['Card fee', 299, undefined],
  ]);
  const { page_key: giftkey } = await readSubscription(id);
  const params = { orgid: orgId, giftkey };
  const readRecurringGift = async () => (await call(app, 'readRecurringGift', { params })).json<RecurringGift>();
  expect(await readRecurringGift()).toMatchObject({ amount: 51.8, coveredFee: 1.8 });
  await passMonths(1);
  const response = await call(app, 'changeRecurringGift', {
    params,
    as: await signInPayer(),
    body: { amount: 80, unit: 'month', count: 1 },
  });
  expect(response.json()).toMatchObject({ amount: 82.7, coveredFee: 2.7 });
  const quarterlyResponse = await call(app, 'changeRecurringGift', { params, body: { unit: 'month', count: 3 } });
  expect(quarterlyResponse.json()).toMatchObject({ amount: 82.7, coveredFee: 2.7, count: 3 });
  await passMonths(2);
  const [first, second, third] = await readReceipts(id);
  expect(first).toMatchObject({ amount: 15_479, renewal: expect.stringContaining('charged $51.80 every month') });
  expect(first?.lines?.at(-1)).toEqual([FEE_LINE, 479]);
  expect(second).toEqual({
    amount: 5180,
    lines: [
      ['Donation to carbon offset program (recurring: monthly)', 5000],
      [FEE_LINE, 180],
    ],
    renewal: expect.stringContaining('charged $51.80 every month'),
  });
  expect(third).toEqual({
    amount: 8270,
    lines: [
      ['Donation (recurring: every 3 months)', 8000],
      [FEE_LINE, 270],
    ],
    renewal: expect.stringContaining('charged $82.70 every 3 months'),
  });
  const { payments } = (await readCheckoutRecord(deps, { orgId, checkoutId: id })) as CheckoutRecord;
  expect(payments.map(({ coveredFee, fee, net }) => [coveredFee, fee, net])).toEqual([
    [4.79, 4.79, 150],
    [1.8, 1.8, 50],
    [2.7, 2.7, 80],
  ]);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a gift whose amount was changed at the provider has no covered fee', async () => {
  const { id } = await giveWithFee([donationItem(50, 'month')]);
  const { id: subscription } = await readSubscription(id);
  const { items } = await provider.stripe.subscriptions.retrieve(subscription);
  const [item, otherItem] = items.data;
  const product = item?.price.product;
  if (!item || typeof product !== 'string') throw new Error('The gift has no item.');
  await provider.stripe.subscriptions.update(subscription, {
    items: [
      {
        id: item.id,
        price_data: {
          currency: 'usd',
          product,
          unit_amount: 6000,
          recurring: { interval: 'month' },
        },
      },
      { id: otherItem?.id ?? '', deleted: true },
    ],
    proration_behavior: 'none',
  });
  await passMonths(1);
  expect((await readReceipts(id))[1]).toMatchObject({ amount: 6000, lines: [['Donation (recurring: monthly)', 6000]] });
});

test('a donor is never charged more than the total shown', async () => {
  const createCheckout = async (body: BodyInput<'createCheckout'>, targetApp = app) =>
    readOutcome(await call(targetApp, 'createCheckout', { params: { orgid: orgId }, body }));
  const item = donationItem(100);
  expect(await createCheckout({ cart: [item], coversFee: true, total: 103.3 })).toEqual([200]);
  expect(await createCheckout({ cart: [item], coversFee: true, total: 103.29 })).toEqual([422, 'total-changed']);
  expect(await createCheckout({ cart: [item], total: 103.3 })).toEqual([422, 'total-changed']);
  expect(await createCheckout({ cart: [donationItem(4)], coversFee: true })).toEqual([422, 'cart-below-minimum']);
  const largestItem = donationItem(Math.floor(MAX_CHECKOUT / 100));
  expect(await createCheckout({ cart: [largestItem] })).toEqual([200]);
  expect(await createCheckout({ cart: [largestItem], coversFee: true })).toEqual([422, 'cart-above-maximum']);
  const appWithoutFee = await buildTestApp({ ...deps, settings: { ...deps.settings, cardFee: undefined } });
  expect((await call(appWithoutFee, 'readCardFee', { params: {} })).json()).toEqual({ cardFee: null });
  expect(await createCheckout({ cart: [item], coversFee: true }, appWithoutFee)).toEqual([422, 'card-fee-not-offered']);
  const { id } = await giveWithFee([donationItem(50, 'month')]);
  const params = { orgid: orgId, giftkey: (await readSubscription(id)).page_key };
  const response = await call(appWithoutFee, 'changeRecurringGift', {
    params,
    as: await signInPayer(),
    body: { amount: 80, unit: 'month', count: 1 },
  });
  expect(response.json()).toMatchObject({ amount: 80, coveredFee: 0 });
  expect((await call(app, 'readCardFee', { params: {} })).json()).toEqual({
    cardFee: { basisPoints: 290, fixedCents: 30 },
  });
});
