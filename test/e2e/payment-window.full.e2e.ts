// @spec 4.cart
import type { Page } from '@playwright/test';
import { callPath } from '#contract/calls.ts';
import { findAxeViolations } from './support/axe.ts';
import { CARDS, expectFunds, fillCart, openPayment, payByCard } from './support/giving.ts';
import { expect, LONG_TIMEOUT, test } from './support/journey.ts';

const THANKS = { name: 'Thank you for offsetting!' };
const UNPAID_NOTICE = 'We haven’t received your $108.30 yet. If you closed the payment page, you can open it again.';
const PAYING_NOTICE = 'Your payment continues in the other tab.';
const PAID_NOTICE = 'Thank you! We’ve received your gift of $108.30.';

/** The notice about the last payment, which screen readers announce. */
function paymentNotice(page: Page, words: string) {
  return page.getByRole('main').getByRole('status').filter({ hasText: words });
}

/** Finds the key of the checkout state that survives a reload in this browser. */
function storedCheckoutKey(page: Page): Promise<string | null> {
  return page.evaluate(() => Object.keys(localStorage).find((key) => key.startsWith('checkout:')) ?? null);
}

async function followPaymentLink(page: Page): Promise<Page> {
  const [payment] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open the payment page' }).click(),
  ]);
  await payment.waitForURL(/\/sandbox\/pay\//);
  return payment;
}

test('the notice about a payment window closed without paying survives a reload and stays until the gift arrives', async ({
  page,
  fund,
}) => {
  test.setTimeout(LONG_TIMEOUT);
  await page.setViewportSize({ width: 390, height: 844 });
  await fillCart(page, fund);
  const checkoutResponse = page.waitForResponse((response) => response.request().method() === 'POST');
  const payment = await openPayment(page, 'Checkout');
  const { url }: { url: string } = await (await checkoutResponse).json();
  await expect(paymentNotice(page, PAYING_NOTICE)).toBeInViewport();
  await payment.close();
  const dialog = page.getByRole('dialog', { name: 'Checkout' });
  await expect(dialog).toContainText('If you closed the payment page');
  await expect(dialog.getByRole('link', { name: 'Proceed to checkout' })).toHaveAttribute('href', /\/sandbox\/pay\//);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  for (const tab of ['Car', 'Home', 'Quick', 'Cart', 'Air']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await expect(paymentNotice(page, UNPAID_NOTICE)).toBeVisible();
  }
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.reload();
    await expect(paymentNotice(page, UNPAID_NOTICE)).toBeInViewport();
  }
  expect(await findAxeViolations(page)).toEqual([]);
  // The checkout page links to the payment page too.
  const [, checkoutId] = /cancelled=([\w-]+)/.exec(await (await page.request.get(url)).text()) ?? [];
  await page.goto(`${fund}/checkouts/${checkoutId}`);
  await expect(page.getByText('We are confirming your payment')).toBeVisible();
  await expect(page.getByRole('link', { name: /payment page|pay/i }).first()).toHaveAttribute('href', url);
  await expectFunds(page, fund, 0);
  await page.goto(`${fund}/donate`);
  await expect(paymentNotice(page, UNPAID_NOTICE)).toBeInViewport();
  expect(await findAxeViolations(page)).toEqual([]);

  const secondPage = await followPaymentLink(page);
  await expect(paymentNotice(page, PAYING_NOTICE)).toBeVisible();
  await payByCard(secondPage, CARDS.succeeds);
  await expect(secondPage.getByRole('heading', THANKS)).toBeVisible();
  await expectFunds(page, fund, 108.3);
  await page.goto(fund);
  await expect(paymentNotice(page, PAID_NOTICE)).toBeInViewport();
  await page.getByRole('link', { name: 'Tell your story' }).click();
  await expect(page.getByRole('heading', THANKS)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Story' })).toBeVisible();
});

test('closing the payment window after paying shows a thank-you once', async ({ page, fund }) => {
  await fillCart(page, fund);
  const payment = await openPayment(page, 'Checkout');
  await payByCard(payment, CARDS.succeeds);
  await expect(payment.getByRole('heading', THANKS)).toBeVisible();
  const checkoutId = new URL(payment.url()).pathname.split('/').at(-1) ?? '';
  await payment.close();
  await expect(paymentNotice(page, `${PAID_NOTICE} Would you tell us why you gave?`)).toBeInViewport();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('link', { name: 'Tell your story' }).click();
  await expect(page.getByRole('textbox', { name: 'Story' })).toBeVisible();
  await page.request.patch(
    callPath('completeCheckout', { orgid: fund.replace('/orgs/', ''), checkoutid: checkoutId }),
    {
      headers: { 'X-Requested-With': 'XMLHttpRequest' },
    },
  );
  await page.reload();
  await expect(page.getByText('We’ve received your gift.')).toBeVisible();
  await expect.poll(() => storedCheckoutKey(page)).toBeNull();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(fund);
  await expect(page.getByRole('tab', { name: 'Air' })).toBeVisible();
  await expect(paymentNotice(page, PAID_NOTICE)).toHaveCount(0);
  expect(requests.filter((path) => path.includes('/checkouts/'))).toEqual([]);
});

test('a payment page that severs its opener isn’t treated as closed, and its result is shown', async ({
  page,
  fund,
}) => {
  await page.context().route(/\/sandbox\/pay\//, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' };
    await route.fulfill({ response, headers });
  });
  await fillCart(page, fund);
  const payment = await openPayment(page, 'Checkout');
  // The browser reports that the window is closed although it isn't.
  await expect(paymentNotice(page, UNPAID_NOTICE)).toBeAttached();
  await expect(page.getByRole('dialog', { name: 'Checkout' })).toContainText('If you closed the payment page');
  await page.keyboard.press('Escape');
  await page.context().unrouteAll();
  await payByCard(payment, CARDS.succeeds);
  await expect(payment.getByRole('heading', THANKS)).toBeVisible();
  // Unsettled checkouts are polled.
  await expect(paymentNotice(page, PAID_NOTICE)).toBeVisible({ timeout: 45_000 });
});

test('the notice is dismissed by canceling (even to a slow page), by restoring the cart, or by "Not now"', async ({
  page,
  fund,
}) => {
  await fillCart(page, fund);
  const payment = await openPayment(page, 'Checkout');
  await expect(paymentNotice(page, PAYING_NOTICE)).toBeInViewport();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await payment.route(`**/api${fund}/cells*`, async (route) => {
    await released;
    await route.continue();
  });
  await payment.getByRole('link', { name: /Cancel and go back/ }).click();
  await payment.waitForURL((url) => url.pathname === fund);
  await expect(payment.getByText('Nothing was charged. Your cart is still here.')).toBeVisible();
  await expect(payment.getByText('Loading…')).toBeVisible();
  await expect(payment.getByRole('tabpanel')).toContainText('Car travel');
  release();
  await expect(payment.getByText('Loading…')).toBeHidden();
  await expect(payment.getByRole('tabpanel')).toContainText('Car travel');
  await payment.waitForURL((url) => url.search === '');
  await expectFunds(page, fund, 0);
  await expect(paymentNotice(page, PAYING_NOTICE)).toBeHidden();
  await expect(paymentNotice(payment, UNPAID_NOTICE)).toBeHidden();
  await payment.close();

  await page.getByRole('tab', { name: /^Cart/ }).click();
  await (await openPayment(page, 'Checkout')).close();
  const dialog = page.getByRole('dialog', { name: 'Checkout' });
  await dialog.getByRole('button', { name: 'Close dialog' }).click();
  await page.getByRole('link', { name: 'Back to cart' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Car travel');
  await expect(paymentNotice(page, UNPAID_NOTICE)).toBeHidden();

  await (await openPayment(page, 'Checkout')).close();
  await dialog.getByRole('button', { name: 'Close dialog' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(paymentNotice(page, UNPAID_NOTICE)).toBeHidden();
  expect(await storedCheckoutKey(page)).toBeNull();
});

test('without browser storage, the payment notice lasts as long as the page', async ({ page, fund }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await page.goto(`${fund}/donate`);
  await page.getByText('$25', { exact: true }).click();
  await expect(page.getByRole('radio', { name: '$25', exact: true })).toBeChecked();
  const payment = await openPayment(page, 'Donate');
  await payment.close();
  await expect(page.getByRole('dialog', { name: 'Checkout' })).toContainText('We haven’t received your $25.00 yet.');
  await page.keyboard.press('Escape');
  await expect(paymentNotice(page, 'We haven’t received your $25.00 yet.')).toBeInViewport();
});
