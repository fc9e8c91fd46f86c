// @spec decisions.3
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { problemsOn } from './support/axe.ts';
import { expectFunds, give } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitMail, newEmail, signInAs } from './support/signing-in.ts';

async function openDialog(page: Page, orgid: string) {
  await page.goto(`/orgs/${orgid}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info/ }).click();
  return page.getByRole('dialog');
}

/** Makes a gift and opens its payment in the provider's dashboard. */
async function giveAtProvider(page: Page, orgid: string, dollars: number) {
  const name = `Ada ${randomUUID().slice(0, 8)}`;
  await give(page, `/orgs/${orgid}`, dollars, newEmail('giver'), { name });
  const dashboard = await page.context().newPage();
  await dashboard.goto('/sandbox', { waitUntil: 'load' });
  const payment = dashboard.getByRole('region', { name: 'Payments' }).getByRole('listitem').filter({ hasText: name });
  await payment.getByText('Refund or dispute').click();
  return { dashboard, payment };
}

test('an editor refunds part of a gift, the donor is notified, and then the rest', async ({ page, browser }) => {
  const orgid = await openNewFund(page);
  const donor = newEmail('giver');
  const address = await give(page, `/orgs/${orgid}`, 137, donor);
  const checkout = await openDialog(page, orgid);
  await expect(checkout).toContainText('Fee $4.27 · Net $132.73');
  expect(await problemsOn(page)).toEqual([]);
  await checkout.getByRole('button', { name: /^Refund/ }).click();
  const refund = page.getByRole('dialog', { name: 'Refund payment' });
  await expect(refund.getByLabel('Amount')).toHaveValue('137.00');
  await refund.getByLabel('Amount').fill('137.01');
  await refund.getByRole('button', { name: 'Refund $137.01' }).click();
  await expect(refund.getByText('Only $137.00 of this payment is left to refund.')).toBeVisible();
  await refund.getByLabel('Amount').fill('40.07');
  await refund.getByRole('button', { name: 'Refund $40.07' }).click();
  await expect(refund.getByText('Please enter a reason.')).toBeVisible();
  await refund.getByLabel('Reason').fill('Meant to give less');
  expect(await problemsOn(page)).toEqual([]);
  await refund.getByRole('button', { name: 'Refund $40.07' }).click();
  // This is also the text for a pending refund.
  await expect(page.getByText('Refunding $40.07', { exact: true })).toBeVisible();
  await expect(checkout).toContainText('Partly refunded');
  await expect(checkout).toContainText('Fee $4.27 · Returned $40.07 · Net $92.66');
  await expect(checkout).toContainText(/\$40\.07 refunded on .*\.Meant to give less · admin/);
  expect(await problemsOn(page)).toEqual([]);
  const otherReader = await (await browser.newContext()).newPage();
  await signInAs(otherReader, donor);
  await otherReader.goto('/user-home');
  const gift = otherReader.getByRole('listitem').filter({ hasText: 'Donation' });
  await expect(gift.first()).toContainText('Partly refunded: $40.07 of $137.00');
  await expect(gift.first()).toContainText('Refunded $40.07.');
  await expect(otherReader.getByText('You’ve given $96.93 so far.')).toBeVisible();
  expect(await problemsOn(otherReader)).toEqual([]);
  await otherReader.goto(address);
  const summary = otherReader.getByRole('region', { name: 'Your gift' });
  await expect(summary.getByText('Partly refunded', { exact: true })).toBeVisible();
  await awaitMail(donor, 'Deductible amount now: $96.93');
  await otherReader.context().close();
  await checkout.getByRole('button', { name: /^Refund/ }).click();
  await expect(refund.getByLabel('Amount')).toHaveValue('96.93');
  await refund.getByLabel('Reason').fill('All of it');
  await refund.getByRole('button', { name: 'Refund $96.93' }).click();
  await expect(checkout.getByText('Refunded', { exact: true })).toHaveCount(2);
  await expect(checkout.getByRole('button', { name: /^Refund/ })).toHaveCount(0);
  await checkout.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('row').getByText('Refunded')).toBeVisible();
});

test('refunds and disputes at the provider appear in the dialog', async ({ page }) => {
  const orgid = await openNewFund(page);
  const refundedGift = await giveAtProvider(page, orgid, 151);
  await refundedGift.payment.getByLabel('Amount to refund, in dollars').fill('51');
  await refundedGift.payment.getByRole('button', { name: 'Refund' }).click();
  await expect(refundedGift.payment).toContainText('$51.00 refunded');
  await expect(async () => {
    await expect(await openDialog(page, orgid)).toContainText('$51.00 refunded on', { timeout: 1000 });
  }).toPass();
  await refundedGift.dashboard.close();
  for (const [button, words] of [
    ['Win the dispute', 'won. The money came back'],
    ['Lose the dispute', 'lost. The money went back to the donor'],
  ] as const) {
    const fund = await openNewFund(page);
    const { dashboard, payment } = await giveAtProvider(page, fund, 152);
    await payment.getByRole('button', { name: /^Dispute/ }).click();
    await expect(async () => {
      await expect(await openDialog(page, fund)).toContainText('is holding the money', { timeout: 1000 });
    }).toPass();
    await payment.getByText('Refund or dispute').click();
    await payment.getByRole('button', { name: button }).click();
    await expect(async () => {
      await expect(await openDialog(page, fund)).toContainText(words, { timeout: 1000 });
    }).toPass();
    await dashboard.close();
  }
});

test('a bounced check is reversed with a reason and leaves the totals', async ({ page }) => {
  const orgid = await openNewFund(page);
  await page.goto(`/orgs/${orgid}/editor/checkouts?kind=check`);
  await page.getByRole('button', { name: 'Record a check' }).click();
  const record = page.getByRole('dialog', { name: 'Record a check' });
  await record.getByLabel('Name').fill('Hanna Hand');
  await record.getByLabel('Amount').fill('14.50');
  await record.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(record).toBeHidden();
  await expectFunds(page, `/orgs/${orgid}`, 14.5);
  await page.getByRole('link', { name: /^Info.*Hanna Hand/ }).click();
  await page.getByRole('button', { name: 'Reverse' }).click();
  const reverse = page.getByRole('dialog', { name: 'Reverse check' });
  await reverse.getByRole('button', { name: 'Reverse check' }).click();
  await expect(reverse.getByText('Please enter a reason.')).toBeVisible();
  await reverse.getByLabel('Reason').fill('Account closed');
  expect(await problemsOn(page)).toEqual([]);
  await reverse.getByRole('button', { name: 'Reverse check' }).click();
  await expect(reverse).toBeHidden();
  const dialog = page.getByRole('dialog', { name: 'Hanna Hand' });
  await expect(dialog).toContainText('Bounced');
  await expect(dialog).toContainText('Account closed');
  expect(await problemsOn(page)).toEqual([]);
  await expectFunds(page, `/orgs/${orgid}`, 0);
});
