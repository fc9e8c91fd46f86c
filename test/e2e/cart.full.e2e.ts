// @spec 2.cart-tab 5.recurring-suffix decisions.3
import { CARDS, chooseCity, fillCart, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

test('every page’s header links to the cart, shows its item count, and doesn’t cover the cart', async ({ page }) => {
  await page.goto(`${ORG}/faqs`);
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('link', { name: /^Cart/ })).toHaveCount(0);
  await fillCart(page);
  for (const [width, height] of [
    [1280, 700],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${ORG}/awardees`);
    await expect(banner.getByRole('link', { name: 'Español' })).toBeVisible();
    const link = banner.getByRole('link', { name: 'Cart, 1 item' });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Cart (1 item)' })).toHaveAttribute('aria-selected', 'true');
    const gapBelowHeader = async () => {
      const [header, card] = [await banner.boundingBox(), await page.locator('#cart').boundingBox()];
      return (card?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0);
    };
    await expect.poll(gapBelowHeader).toBeGreaterThanOrEqual(0);
    // Repeats the steps from another tab of the calculator.
    await page.getByRole('tab', { name: 'Quick' }).click();
    await link.click();
    await expect(page.getByRole('tab', { name: 'Cart (1 item)' })).toBeFocused();
  }
});

test('a cart row names its trip, which stays in the browser, and can be edited, removed, and restored', async ({
  page,
}) => {
  await page.goto(ORG);
  await chooseCity(page, 'From', 'Ithaca', /Ithaca.*New York/);
  await chooseCity(page, 'To', 'Lisbon', /Lisbon.*Portugal/);
  await page.getByRole('textbox', { name: 'Travelers' }).fill('2');
  await page.getByRole('checkbox', { name: 'Round trip' }).check();
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  const panel = page.getByRole('tabpanel');
  const row = panel.getByRole('listitem');
  await expect(row).toContainText('Ithaca ⇄to Lisbon, 2 travelers, round trip');
  await panel.getByRole('combobox').selectOption({ label: 'Monthly' });
  await expect(row).toContainText('Air travel (recurring: monthly)');

  await page.reload();
  await page.getByRole('banner').getByRole('link', { name: 'Cart, 1 item' }).click();
  await panel.getByRole('button', { name: /^Edit Air travel/ }).click();
  await expect(page.getByRole('tab', { name: 'Air' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: /^From/ })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Travelers' })).toHaveValue('2');
  await page.getByRole('textbox', { name: 'Travelers' }).fill('1');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('1 traveler, round trip');
  await expect(panel.getByRole('combobox')).toHaveValue('month 1');

  await panel.getByRole('button', { name: /^Edit Air travel/ }).click();
  await page.getByRole('textbox', { name: 'Travelers' }).fill('9');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('1 traveler');

  const status = page.getByRole('status');
  await panel.getByRole('button', { name: /^Remove Air travel/ }).click();
  await expect(panel).toContainText('No items in cart');
  await expect(status.filter({ hasText: 'Air travel was removed from your cart.' })).toHaveCount(1);
  // The cart has the focus, and Undo follows it.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Ithaca ⇄to Lisbon, 1 traveler, round trip');
  await expect(status.filter({ hasText: 'Air travel is back in your cart.' })).toHaveCount(1);
  await expect(page.getByRole('tab', { name: /^Cart/ })).toBeFocused();

  const [request, payment] = await Promise.all([
    page.waitForRequest((candidate) => candidate.method() === 'POST' && candidate.url().endsWith('/checkouts')),
    openPayment(page, 'Checkout'),
  ]);
  expect(request.postData()).not.toContain('Lisbon');
  await payment
    .getByRole('link', { name: /cancel|back/i })
    .first()
    .click();
  await expect(payment.getByRole('tabpanel').getByRole('listitem')).toContainText(
    'Ithaca ⇄to Lisbon, 1 traveler, round trip',
  );
});

test('a donation is added to a nonempty cart, and everything is paid together', async ({ page, fund }) => {
  await page.goto(fund);
  await page.getByRole('textbox', { name: 'Trip mileage' }).fill('100');
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('link', { name: 'Add a donation' }).click();
  await page.getByLabel('Amount').fill('25');
  await expect(page.getByText('Your cart has 1 item.')).toBeVisible();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('button', { name: 'Go to your cart' }).click();
  await expect(panel.getByText('$25.70', { exact: true })).toBeVisible();

  await panel.getByRole('link', { name: /^Edit Donation/ }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('25');
  await page.getByLabel('Amount').fill('30');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(panel.getByText('$30.70', { exact: true })).toBeVisible();

  const payment = await openPayment(page, 'Checkout');
  await payByCard(payment, CARDS.succeeds);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await expect(payment.getByRole('main')).toContainText('$30.70');
  await expect(page.getByRole('banner').getByRole('link', { name: /^Cart/ })).toHaveCount(0);
});

test('with two intervals, the first is paid and the second remains in the cart', async ({ page, fund }) => {
  await fillCart(page, fund);
  await page.goto(`${fund}/donate`);
  for (const recurrence of ['Monthly', 'Yearly']) {
    await page.getByText('$50', { exact: true }).click();
    await page.getByText(recurrence, { exact: true }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
  }
  await page.getByRole('button', { name: 'Go to your cart' }).click();
  const panel = page.getByRole('tabpanel');
  await panel
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expect(panel).toContainText(
    'Monthly and yearly gifts can’t be paid together. Check out one now, then come back for the other.',
  );
  // Waits for the card fee line, which appears with a delay and moves the button.
  await expect(panel.getByRole('checkbox', { name: /card fee/ })).toBeVisible();
  const [payment] = await Promise.all([
    page.context().waitForEvent('page'),
    panel.getByRole('button', { name: 'Check out the monthly gifts first ($50.00)' }).click(),
  ]);
  await payByCard(payment, CARDS.succeeds);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await expect(panel.getByRole('combobox')).toHaveValue('year 1');
  await expect(panel.getByRole('button', { name: 'Checkout' })).toBeEnabled();
});
