// @spec 7.create-checkout decisions.3
import { expect, onTestFinished, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';

const setup = await startDonationSetup();
const { provider } = setup;
const path = `/api/orgs/${setup.orgId}/checkouts`;
const donation = { type: 'donation', cost: 25 };

test('an unresponsive provider delays only its own donors, and only for a limited time', async () => {
  const relay = await startNetworkRelay(provider.options.apiBase?.() ?? '');
  onTestFinished(() => relay.close());
  const payments = createStripePayments({ ...provider.options, apiBase: () => relay.url, timeoutMs: 2000 });
  const app = await buildTestApp({ ...setup.deps, payments });
  const headers = { 'x-requested-with': 'test' };
  const createCheckout = () => app.inject({ method: 'POST', url: path, headers, payload: { cart: [donation] } });
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  const initialStats = await setup.readStats();
  const readStatus = async () => {
    const response = await app.inject({ url: callPath('readCheckout', { orgid: setup.orgId, checkoutid: id }) });
    return response.json<Checkout>().paymentStatus;
  };

  relay.freeze();
  const pendingCheckout = createCheckout();
  const pendingStatus = readStatus();
  const firstResponse = await Promise.race([
    pendingCheckout,
    pendingStatus,
    app.inject({ url: `/api/orgs/${setup.orgId}` }),
  ]);
  expect(firstResponse).toMatchObject({ statusCode: 200 });
  // The status comes from the stored checkout alone.
  expect(await pendingStatus).toBe('unpaid');
  const response = await pendingCheckout;
  expect(response.json()).toMatchObject({ status: 503, code: 'payment-unavailable' });
  expect(response.json().detail).toContain('Your cart is saved');
  expect(await setup.readStats()).toEqual(initialStats);

  relay.thaw();
  const readStatusLater = () => {
    setup.clock.advance(2000);
    return readStatus();
  };
  await expect.poll(readStatusLater).toBe('paid');
  await expect.poll(async () => (await createCheckout()).statusCode).toBe(200);
  expect((await setup.readStats()).funds - initialStats.funds).toBeCloseTo(25, 2);
  expect(await setup.findDifferences()).toEqual([]);
});
