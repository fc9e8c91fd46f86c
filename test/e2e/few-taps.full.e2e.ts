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
      return openPayment(page, button);
    },
    /** Fills in the card and taps Pay. */
    payCard: async (payment: Page) => {
      count += 1;
      await payByCard(payment, CARDS.succeeds);
      await payment.waitForURL(/\/checkouts\//);
    },
    count: () => count,
  };
}

test('a flight takes at most six taps, with Calculate Offset in view and at most 40 words before Checkout', async ({
  page,
}) => {
  const { tap, pay, count } = createTapCounter();
  await page.goto(ORG);
  const button = await page.getByRole('button', { name: 'Calculate Offset' }).boundingBox();
  expect(button?.y).toBeLessThanOrEqual(780);
  await expect(page.getByRole('button', { name: /^From/ })).toContainText('Ithaca');
  await tap(page.getByRole('button', { name: /^To/ }));
  await page.getByRole('combobox', { name: 'City' }).fill('sfo');
  await tap(page.getByRole('option', { name: /^San Francisco/ }).first());
  await tap(page.getByRole('checkbox', { name: 'Round trip' }));
  await tap(page.getByRole('button', { name: 'Calculate Offset' }));
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  const text = await page.getByRole('tabpanel').innerText();
  const [, textBeforeCheckout = ''] = /Edit\s+([\s\S]*)Checkout/.exec(text) ?? [];
  expect(textBeforeCheckout.trim().split(/\s+/).length).toBeLessThanOrEqual(40);
  expect(textBeforeCheckout).toContain('gifts like this pay for one home');
  await pay(page, 'Checkout');
  expect(count()).toBeLessThanOrEqual(6);
});

test('a one-time donation takes at most three taps, and a monthly one at most four', async ({ page }) => {
  const { tap, pay, count } = createTapCounter();
  await page.goto(ORG);
  await tap(page.getByRole('main').getByRole('link', { name: 'Donate' }).first());
  await expect(page.getByRole('radio', { name: 'One time' })).toBeChecked();
  await tap(page.getByText('Monthly', { exact: true }));
  await tap(page.getByText('$100', { exact: true }));
  await pay(page, 'Donate');
  expect(count()).toBeLessThanOrEqual(4);
});

test('from an amount on the landing page, a donation is paid after three taps, and a monthly one after four', async ({
  page,
}) => {
  for (const isMonthly of [false, true]) {
    const { tap, pay, payCard, count } = createTapCounter();
    await page.goto(ORG);
    await tap(page.getByRole('main').getByRole('link', { name: '$100', exact: true }));
    await expect(page.getByLabel('Amount')).toHaveValue('100');
    if (isMonthly) await tap(page.getByText('Monthly', { exact: true }));
    await payCard(await pay(page, 'Donate'));
    expect(count()).toBe(isMonthly ? 4 : 3);
  }
});
