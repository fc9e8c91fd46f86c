// @spec 2.home-screen 2.quick 4.cart decisions.3
// Slow because each journey pays on the hosted page more than once.
import type { Page } from '@playwright/test';
import { CARDS, expectFunds, fillCart, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { startSiteWithProvider } from './support/separate-provider.ts';

const THANKS = { name: 'Thank you for offsetting!' };

test('a declined card is reported and records no gift, and the donor can still pay with another card', async ({
  page,
  fund,
}) => {
  await fillCart(page, fund);
  const payment = await openPayment(page, 'Checkout');
  await payByCard(payment, CARDS.declined);
  await expect(payment.getByText('Your card was declined.').first()).toBeVisible();
  await expectFunds(page, fund, 0);
  await payByCard(payment, CARDS.requiresAuthentication);
  await payment.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(payment.getByRole('heading', THANKS)).toBeVisible();
  await expectFunds(page, fund, 108.3);
});

test('if the pop-up is blocked, a dialog links to the payment page', async ({ page, fund }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await fillCart(page, fund);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Checkout' });
  await expect(dialog).toContainText(/proceed to checkout/i);
  const [payment] = await Promise.all([page.context().waitForEvent('page'), dialog.getByRole('link').click()]);
  await payByCard(payment, CARDS.succeeds);
  await expect(payment.getByRole('heading', THANKS)).toBeVisible();
});

test('a slow bank debit counts only once it settles, and the page updates by polling', async ({ page, fund }) => {
  await fillCart(page, fund);
  const payment = await openPayment(page, 'Checkout');
  await payment.getByText('Pay by bank debit (slow)').click();
  const form = payment.getByRole('form', { name: /bank debit/i });
  await form.getByLabel('Email').fill('slow@example.org');
  await form.getByLabel('Account holder').fill('Sally Slow');
  await form.getByRole('button', { name: /^Debit/ }).click();
  await payment.waitForURL(/\/checkouts\//);
  await expect(payment.getByText(/bank/i).first()).toBeVisible();
  await expectFunds(page, fund, 0);
  const debits = await page.context().newPage();
  await debits.goto('/sandbox/debits');
  await debits
    .getByRole('button', { name: /^Settle/ })
    .first()
    .click();
  await expect(payment.getByRole('heading', THANKS)).toBeVisible({ timeout: 40_000 });
  await expectFunds(page, fund, 108.3);
});

test('a gift counts once despite an outage, an early return, a duplicate webhook, or a power failure', async ({
  page,
  expectedErrors,
}) => {
  const ownSite = await startSiteWithProvider();
  try {
    const homeUrl = ownSite.site.url + ORG;
    const readFunds = async () => {
      const response = await page.request.get(`${ownSite.site.url}/api${ORG}`);
      return ((await response.json()) as { stats: { funds: number } }).stats.funds;
    };
    const initialFunds = await readFunds();
    await fillCart(page, homeUrl);
    expectedErrors.push('503');
    await ownSite.network.cut();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Checkout', exact: true }).click();
    await expect(page.getByText('Your cart is saved. Please try again in a few minutes.')).toBeVisible();
    await expect(page.getByRole('tabpanel')).toContainText('$108.30');
    expect(page.context().pages()).toHaveLength(1);
    await ownSite.network.restore();
    const payment = await openPayment(page, 'Checkout');
    await payByCard(payment, CARDS.succeeds);
    // No webhook has been delivered yet, so the server queried the provider.
    await expect(payment.getByRole('heading', THANKS)).toBeVisible();
    expect((await readFunds()) - initialFunds).toBeCloseTo(108.3, 2);
    const address = payment.url();
    await openBlankPage(page, payment);
    await ownSite.site.kill();
    await ownSite.restart();
    await ownSite.deliver();
    await ownSite.deliver();
    expect((await readFunds()) - initialFunds).toBeCloseTo(108.3, 2);
    const newPage = await page.context().newPage();
    await newPage.goto(address);
    await expect(newPage.getByRole('heading', THANKS)).toBeVisible();
    await expect(newPage.getByRole('textbox', { name: 'Story' })).toBeVisible();
    expect(ownSite.site.errors).toEqual([]);
    await openBlankPage(newPage);
  } finally {
    await ownSite.close();
  }
});

/** Closes pages that poll their organization or load code later, because they would report an unreachable server. */
async function openBlankPage(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) await page.goto('about:blank');
}
