// @spec 2.home-screen 2.cart-tab 2.donate-screen
// From the landing page to the payment page on a phone, in a few taps.
import type { Locator, Page } from '@playwright/test';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** Counts taps. Typing and filling in the card form don't count. */
function createTapCounter() {
  let count = 0;
  return {
    tap: async (target: Locator) => {
      await target.click();
      count += 1;
    },
    /** Taps the button that opens the payment page. */
    pay: async (page: Page, button: 'Checkout' | 'Donate') => {
      count += 1;
      const payment = await openPayment(page, button);
      await payByCard(payment, CARDS.pays);
      await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
    },
    count: () => count,
  };
}

test('a flight takes at most six taps', async ({ page }) => {
  const { tap, pay, count } = createTapCounter();
  await page.goto(ORG);
  await expect(page.getByRole('button', { name: /^From/ })).toContainText('Ithaca');
  await tap(page.getByRole('button', { name: /^To/ }));
  await page.getByRole('combobox', { name: 'City' }).fill('sfo');
  await tap(page.getByRole('option', { name: /^San Francisco/ }).first());
  await tap(page.getByRole('checkbox', { name: 'Round trip' }));
  await tap(page.getByRole('button', { name: 'Calculate Offset' }));
  await pay(page, 'Checkout');
  expect(count()).toBeLessThanOrEqual(6);
});

test('Calculate Offset is visible without scrolling, and the FAQ page isn’t too long', async ({ page }) => {
  await page.goto(ORG);
  const button = await page.getByRole('button', { name: 'Calculate Offset' }).boundingBox();
  expect(button?.y).toBeLessThanOrEqual(780);
  await page.goto(`${ORG}/faqs`);
  await expect(page.getByRole('heading', { name: 'FAQs' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(4000);
});

test('at most 40 words separate an item from Checkout', async ({ page }) => {
  await page.goto(ORG);
  await page.getByRole('textbox', { name: 'Trip mileage' }).fill('2,446');
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  const text = await page.getByRole('tabpanel').innerText();
  const [, textBeforeCheckout = ''] = /Edit\s+([\s\S]*)Checkout/.exec(text) ?? [];
  expect(textBeforeCheckout.trim().split(/\s+/).length).toBeLessThanOrEqual(40);
  expect(textBeforeCheckout).toContain('gifts like this pay for one home');
});

for (const { name, recurrence, maxTaps } of [
  { name: 'a one-time donation takes at most three taps', recurrence: undefined, maxTaps: 3 },
  { name: 'a monthly donation takes at most four taps', recurrence: 'Monthly', maxTaps: 4 },
])
  test(name, async ({ page, fund }) => {
    const { tap, pay, count } = createTapCounter();
    await page.goto(fund);
    await tap(page.getByRole('main').getByRole('link', { name: 'Donate' }).first());
    if (recurrence) await tap(page.getByText(recurrence, { exact: true }));
    await tap(page.getByText('$100', { exact: true }));
    await pay(page, 'Donate');
    expect(count()).toBeLessThanOrEqual(maxTaps);
  });
