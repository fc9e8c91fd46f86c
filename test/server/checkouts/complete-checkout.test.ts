// @spec 1.fund 2.checkout-complete 7.complete-checkout decisions.3
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';

const setup: DonationSetup = await startDonationSetup();

function completeCheckout(checkoutId: string, orgId = setup.orgId) {
  return setup.call('PATCH', callPath('completeCheckout', { orgid: orgId, checkoutid: checkoutId }));
}

// @asvs 2.3.1
test('an unpaid checkout can’t be completed', async () => {
  const { id } = await setup.openCheckout();
  expect((await completeCheckout(id)).json()).toMatchObject({ status: 409, code: 'checkout-not-paid' });
  expect(await setup.readCheckout(id)).toMatchObject({ completed: false, isOver: false });
});

test('completing a paid checkout ends its profile step and moves no money', async () => {
  const { id } = await setup.openAndPay();
  const initialCents = await setup.readTotalCents();
  expect((await completeCheckout(id)).json()).toMatchObject({ completed: true, isOver: true, paymentStatus: 'paid' });
  expect((await completeCheckout(id)).statusCode).toBe(200);
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a missing checkout or another organization’s can’t be completed or read', async () => {
  const { id } = await setup.openAndPay();
  const otherOrg = await addOrg(setup.db);
  expect((await completeCheckout('unknown')).json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
  expect((await completeCheckout(id, otherOrg)).json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
  const response = await setup.call('GET', callPath('readCheckout', { orgid: otherOrg, checkoutid: id }));
  expect(response.json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
});
