// @spec 3.checkout 7.checkout decisions.3 decisions.4 decisions.6
import { beforeEach, expect, test } from 'vitest';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { DECLINED_CARD, THREE_D_SECURE_CARD } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';

const setup: DonationSetup = await startDonationSetup();
const { provider, clock } = setup;

let centsBefore = 0;
beforeEach(async () => {
  centsBefore = await setup.readTotalCents();
});

/** Cents raised since the test started. */
async function readRaisedCents(): Promise<number> {
  return (await setup.readTotalCents()) - centsBefore;
}

test('counts the dollars and pounds of a card payment and shows the checkout as paid', async () => {
  const initialStats = await setup.readStats();
  const checkout = await setup.openCheckout([offsetItem('air', 3864), donationItem(25)]);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid', total: 73.3, isOver: false });
  const finalStats = await setup.readStats();
  expect(await readRaisedCents()).toBe(7330);
  expect(finalStats.funds - initialStats.funds).toBeCloseTo(73.3, 10);
  expect(finalStats.co2 - initialStats.co2).toBe(3864);
  expect(finalStats.gas - initialStats.gas).toBeCloseTo(197.064, 10);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a declined card records no gift, and the visitor can pay on the same page', async () => {
  const checkout = await setup.openCheckout();
  await provider.pay(checkout.paymentUrl, DECLINED_CARD);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({
    paymentStatus: 'unpaid',
    paymentURL: checkout.paymentUrl,
  });
  expect(await readRaisedCents()).toBe(0);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid', paymentURL: null });
  expect(await readRaisedCents()).toBe(2500);
});

test('a payment that requires authentication counts only after the donor authenticates', async () => {
  const checkout = await setup.openCheckout();
  const authenticationPath = await provider.pay(checkout.paymentUrl, THREE_D_SECURE_CARD);
  await provider.deliverEvents();
  expect(await readRaisedCents()).toBe(0);
  await fetch(new URL(authenticationPath, checkout.paymentUrl), {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'complete' }),
    redirect: 'manual',
  });
  await provider.deliverEvents();
  expect(await readRaisedCents()).toBe(2500);
});

test('a browser that returns before the webhook sees the gift as paid, and the webhook doesn’t count it again', async () => {
  const checkout = await setup.openCheckout();
  await provider.pay(checkout.paymentUrl);
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await readRaisedCents()).toBe(2500);
  await provider.deliverEvents();
  expect(await readRaisedCents()).toBe(2500);
});

test('a gift counted by the webhook isn’t counted again when the browser returns', async () => {
  const checkout = await setup.openAndPay();
  expect(await readRaisedCents()).toBe(2500);
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await readRaisedCents()).toBe(2500);
});

test('an unsettled payment is checked with the provider at most every two seconds', async () => {
  const checkout = await setup.openCheckout();
  await setup.readCheckout(checkout.id);
  await provider.pay(checkout.paymentUrl);
  clock.advance(1999);
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'unpaid' });
  clock.advance(1);
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
});

test('a bank debit is processing until the bank pays, and counts only then', async () => {
  const checkout = await setup.openCheckout();
  await provider.payByDebit(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'processing', paymentURL: null });
  expect(await readRaisedCents()).toBe(0);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await readRaisedCents()).toBe(2500);
});

test('a failed bank debit never counts', async () => {
  const checkout = await setup.openCheckout();
  await provider.payByDebit(checkout.paymentUrl);
  await provider.deliverEvents();
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'failed' });
  expect(await readRaisedCents()).toBe(0);
});

test('a checkout with an expired payment page has no payment link', async () => {
  const checkout = await setup.openCheckout();
  await provider.expireSession(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'expired', paymentURL: null });
});

test('a recurring gift with one-time items counts its entire first payment', async () => {
  const checkout = await setup.openCheckout([donationItem(10, 'month', 3), offsetItem('car', 800), donationItem(5)]);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await readRaisedCents()).toBe(2500);
  const row = await setup.db.kysely
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', checkout.id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ provider_subscription_id: expect.stringMatching(/^sub_/) });
  expect(row.provider_payment_id).toMatch(/^in_/);
});

test('a failed recurring bank debit never counts', async () => {
  const checkout = await setup.openCheckout([donationItem(10, 'year')]);
  await provider.payByDebit(checkout.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'processing' });
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'failed' });
  expect(await readRaisedCents()).toBe(0);
});

test('a checkout stores its payer and payment', async () => {
  const checkout = await setup.openAndPay();
  const row = await setup.db.kysely
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', checkout.id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ email: 'payer@example.org', display_name: 'Paula Payer', paid_at: expect.any(Date) });
  expect(row.provider_payment_id).toMatch(/^pi_/);
});

test('the public view of a checkout contains no names', async () => {
  const checkout = await setup.openAndPay();
  const response = await setup.call('GET', `/api/orgs/${setup.orgId}/checkouts/${checkout.id}`);
  expect(response.body).not.toMatch(/payer@example|Paula|cus_|cs_test|pi_/);
});
