// @spec decisions.3
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { expectFunds, giveByCard } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, newEmail, signInAs } from './support/sign-in.ts';

async function openDialog(page: Page, orgId: string) {
  await page.goto(`/orgs/${orgId}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info/ }).click();
  // The refund dialog opens on top of this one.
  return page.getByRole('dialog').first();
}

/** Makes a gift and opens its payment in the provider's dashboard. */
async function giveAtProvider(page: Page, orgId: string, dollars: number) {
  const name = `Ada ${randomUUID().slice(0, 8)}`;
  await giveByCard(page, `/orgs/${orgId}`, dollars, newEmail('giver'), { name });
  const dashboard = await page.context().newPage();
  await dashboard.goto('/sandbox', { waitUntil: 'load' });
  const payment = dashboard.getByRole('region', { name: 'Payments' }).getByRole('listitem').filter({ hasText: name });
  await payment.getByText('Refund or dispute').click();
  return { dashboard, payment };
}

test('an editor refunds part of a gift and then the rest, and the donor is notified', async ({ page, browser }) => {
  const orgId = await openNewFund(page);
  const donor = newEmail('giver');
  const address = await giveByCard(page, `/orgs/${orgId}`, 137, donor);
  const checkout = await openDialog(page, orgId);
  await expect(checkout).toContainText('Fee $4.27 · Net $132.73');
  expect(await findAccessibilityProblems(page)).toEqual([]);
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
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await refund.getByRole('button', { name: 'Refund $40.07' }).click();
  // This is also the text for a pending refund.
  await expect(page.getByText('Refunding $40.07', { exact: true })).toBeVisible();
  await expect(checkout).toContainText('Partly refunded');
  await expect(checkout).toContainText('Fee $4.27 · Returned $40.07 · Net $92.66');
  await expect(checkout).toContainText(/\$40\.07 was refunded on .*\.Meant to give less · admin/);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const donorPage = await (await browser.newContext()).newPage();
  await signInAs(donorPage, donor);
  await donorPage.goto('/user-home');
  const gift = donorPage.getByRole('listitem').filter({ hasText: 'Donation' });
  await expect(gift.first()).toContainText('Partly refunded: $40.07 of $137.00');
  await expect(gift.first()).toContainText('Refunded $40.07.');
  await expect(donorPage.getByText('You’ve given $96.93 so far.')).toBeVisible();
  expect(await findAccessibilityProblems(donorPage)).toEqual([]);
  await donorPage.goto(address);
  const summary = donorPage.getByRole('region', { name: 'Your gift' });
  await expect(summary.getByText('Partly refunded', { exact: true })).toBeVisible();
  await awaitEmail(donor, 'Deductible amount now: $96.93');
  await donorPage.context().close();
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
  const orgId = await openNewFund(page);
  const refundedGift = await giveAtProvider(page, orgId, 151);
  await refundedGift.payment.getByLabel('Amount to refund, in dollars').fill('51');
  await refundedGift.payment.getByRole('button', { name: 'Refund' }).click();
  await expect(refundedGift.payment).toContainText('$51.00 refunded');
  await expect(async () => {
    await expect(await openDialog(page, orgId)).toContainText('$51.00 was refunded on', { timeout: 1000 });
  }).toPass();
  await refundedGift.dashboard.close();
  for (const [button, words] of [
    ['Win the dispute', 'won. The money was returned to the fund'],
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

test('a bounced check is reversed with a reason and no longer counts toward the totals', async ({ page }) => {
  const orgId = await openNewFund(page);
  await page.goto(`/orgs/${orgId}/editor/checkouts?kind=check`);
  await page.getByRole('button', { name: 'Record a check' }).click();
  const recordDialog = page.getByRole('dialog', { name: 'Record a check' });
  await recordDialog.getByLabel('Name').fill('Hanna Hand');
  await recordDialog.getByLabel('Amount').fill('14.50');
  await recordDialog.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(recordDialog).toBeHidden();
  await expectFunds(page, `/orgs/${orgId}`, 14.5);
  await page.getByRole('link', { name: /^Info.*Hanna Hand/ }).click();
  await page.getByRole('button', { name: 'Reverse' }).click();
  const reverseDialog = page.getByRole('dialog', { name: 'Reverse check' });
  await reverseDialog.getByRole('button', { name: 'Reverse check' }).click();
  await expect(reverseDialog.getByText('Please enter a reason.')).toBeVisible();
  await reverseDialog.getByLabel('Reason').fill('Account closed');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await reverseDialog.getByRole('button', { name: 'Reverse check' }).click();
  await expect(reverseDialog).toBeHidden();
  const dialog = page.getByRole('dialog', { name: 'Hanna Hand' });
  await expect(dialog).toContainText('Bounced');
  await expect(dialog).toContainText('Account closed');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await expectFunds(page, `/orgs/${orgId}`, 0);
});
