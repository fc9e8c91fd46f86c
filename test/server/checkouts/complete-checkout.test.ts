// @spec 1.fund 2.checkout-complete 7.complete-checkout decisions.3
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { type DonationSetup, startGiving } from '#test/support/giving.ts';

const giving: DonationSetup = await startGiving();

function completeCheckout(checkoutId: string, orgId = giving.orgId) {
  return giving.call('PATCH', callPath('completeCheckout', { orgid: orgId, checkoutid: checkoutId }));
}

// @asvs 2.3.1
test('an unpaid checkout can’t be completed', async () => {
  const { id } = await giving.open();
  expect((await completeCheckout(id)).json()).toMatchObject({ status: 409, code: 'checkout-not-paid' });
  expect(await giving.read(id)).toMatchObject({ completed: false, isOver: false });
});

test('completing a paid checkout ends its profile step and moves no money', async () => {
  const { id } = await giving.openAndPay();
  const initialCents = await giving.cents();
  expect((await completeCheckout(id)).json()).toMatchObject({ completed: true, isOver: true, paymentStatus: 'paid' });
  expect((await completeCheckout(id)).statusCode).toBe(200);
  expect(await giving.cents()).toBe(initialCents);
  expect(await giving.differences()).toEqual([]);
});

test('a missing checkout or another organization’s can’t be completed or read', async () => {
  const { id } = await giving.openAndPay();
  const otherOrg = await addOrg(giving.db);
  expect((await completeCheckout('unknown')).json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
  expect((await completeCheckout(id, otherOrg)).json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
  const read = await giving.call('GET', callPath('readCheckout', { orgid: otherOrg, checkoutid: id }));
  expect(read.json()).toMatchObject({ status: 404, code: 'checkout-not-found' });
});
