// @spec decisions.3
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS, openCheckout, payByCard } from './support/giving.ts';
import { expect } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { type SiteWithProvider, startSiteWithProvider } from './support/separate-provider.ts';
import { testOnSeparateSite } from './support/separate-site.ts';

const test = testOnSeparateSite(startSiteWithProvider);

test('editors resolve a payment of the wrong amount with a note, and admins see unmatched payments', async ({
  page,
  ownSite,
  expectedErrors,
}) => {
  // The browser logs a rejected call.
  expectedErrors.push('503');
  const orgId = await openNewFund(page);
  const metadata = await createUnpaidCheckout(page, ownSite, orgId);
  const { checkoutId = '' } = metadata;
  const wrongPayment = await payWithForgedMetadata(page, ownSite, metadata, 500);
  await payWithForgedMetadata(page, ownSite, { ...metadata, orgId: 'nowhere', checkoutId: 'unknown' }, 700);
  await ownSite.deliver();

  await page.goto(`/orgs/${orgId}/editor/`);
  const task = page.getByRole('link', { name: /^1 payment needs attention/ });
  await expect(async () => {
    await page.reload();
    await expect(task).toBeVisible({ timeout: 2000 });
  }).toPass();
  await task.click();
  const section = page.getByRole('region', { name: '1 payment needs attention' });
  await expect(section).toContainText('$5.00');
  await expect(section).toContainText('The amount doesn’t match its checkout.');
  await expect(section).toContainText(wrongPayment);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await section.getByRole('link', { name: /^See the checkout/ }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get('gift') === checkoutId);
  const gift = page.getByRole('dialog', { name: 'Unknown donor' });
  await expect(gift).toContainText('$25.00');
  await gift.getByRole('button', { name: 'Close dialog' }).click();

  await section.getByRole('button', { name: /^Resolve…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve this payment' });
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(dialog).toContainText('Please describe how you resolved it in at least 3 characters.');
  await dialog.getByLabel('What did you do?').fill('Refunded at the card processor');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.route('**/resolve', (route) => route.fulfill({ status: 503, body: '' }));
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toBeVisible();
  await expect(dialog.getByLabel('What did you do?')).toHaveValue('Refunded at the card processor');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Resolved $5.00')).toBeVisible();
  await expect(section).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.reload();
  await page.getByText('Recently resolved payments (1)').click();
  await expect(page.getByText(/^Resolved on .* by .*: Refunded at the card processor$/)).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.goto(`/orgs/${orgId}/editor/`);
  await expect(page.getByText('You’re all caught up.')).toBeVisible();

  await page.goto('/admin');
  await expect(section).toContainText('$7.00');
  await expect(section).toContainText('No checkout here matches it.');
  const systemStatus = page.getByRole('region', { name: 'System status' });
  await expect(systemStatus).toContainText('Payment webhooks');
  await systemStatus.getByRole('button', { name: 'Test all settings' }).click();
  await expect(systemStatus.getByRole('status')).toContainText(/\d+ OK, \d+ warnings?, \d+ errors?/);
  await expect(systemStatus).toContainText('DEFAULT_ORG');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await section.getByRole('button', { name: /^Resolve…/ }).click();
  await dialog.getByLabel('What did you do?').fill('Belongs to the bake sale');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(section).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible();
  await expect(section).toHaveCount(0);
});

/** @returns the provider's metadata of an unpaid $25 checkout */
async function createUnpaidCheckout(
  page: Page,
  { stripe }: SiteWithProvider,
  orgId: string,
): Promise<Record<string, string>> {
  const url = await openCheckout(page, `/orgs/${orgId}`, 25);
  const { metadata } = await stripe.checkout.sessions.retrieve(url.split('/').at(-1) ?? '');
  return metadata ?? {};
}

/** Pays a session with the metadata of a checkout that the program didn't create. @returns the provider's id */
async function payWithForgedMetadata(
  page: Page,
  { site, stripe }: SiteWithProvider,
  metadata: Record<string, string>,
  amount: number,
) {
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: `${site.url}/orgs/sample/about`,
    metadata,
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Gift' } } }],
  });
  await page.goto(session.url ?? '', { waitUntil: 'load' });
  await payByCard(page, CARDS.succeeds);
  await page.waitForURL(/\/about$/);
  return session.id;
}
