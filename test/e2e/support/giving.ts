import type { BrowserContext, Page } from '@playwright/test';
import { expect, ORG } from './journey.ts';
import { type Caller, postCall } from './sign-in.ts';

/** Stripe's published test cards. */
export const CARDS = {
  succeeds: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  requiresAuthentication: '4000 0025 0000 3155',
  bypassesPending: '4000 0000 0000 0077',
} as const;

/** Chooses a city by typing in the picker. @param field the button that opens it */
export async function chooseCity(page: Page, field: 'From' | 'To', query: string, optionName: RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${field}`) }).click();
  const picker = page.getByRole('dialog', { name: 'Select city' });
  await picker.getByLabel('City').fill(query);
  await picker.getByRole('option', { name: optionName }).first().click();
  await expect(picker).toBeHidden();
}

/** Adds a year of driving ($108.30) to the cart. */
export async function fillCart(page: Page, home = ORG): Promise<void> {
  await page.goto(home);
  await page.getByRole('tab', { name: 'Quick' }).click();
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('$108.30');
}

/** Clicks the button and waits for the hosted payment page. @returns that page, which opens in its own window */
export async function openPayment(page: Page, button: 'Checkout' | 'Donate'): Promise<Page> {
  const context: BrowserContext = page.context();
  const [payment] = await Promise.all([
    context.waitForEvent('page'),
    // The button reads "Donate $100 monthly" once the amount is chosen.
    page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${button}\\b`) })
      .click(),
  ]);
  await payment.waitForURL(/\/sandbox\/pay\//);
  return payment;
}

/** Email address for donors whose email isn't checked, or on a site used by one journey. */
export const GIVER_EMAIL = 'giver@example.org';

/** Fills in and submits the hosted page's card form. */
export async function payByCard(payment: Page, card: string, email = GIVER_EMAIL): Promise<void> {
  const form = payment.locator('form').filter({ has: payment.getByLabel(/card number/i) });
  await form.getByLabel(/e-?mail/i).fill(email);
  await form.getByLabel(/card number/i).fill(card);
  await form.getByLabel(/expir/i).fill('12 / 40');
  await form.getByLabel('Security code').fill('123');
  await form.getByLabel(/name on card/i).fill('Ada Giver');
  await form.getByRole('button', { name: /^(?:Pay|Donate|Subscribe)/ }).click();
}

/** Creates a checkout for a donation through the API. @returns the address of the payment page */
export async function openCheckout(page: Caller, fund: string, dollars: number, terms: Terms = {}): Promise<string> {
  const cart = [{ type: 'donation', cost: dollars, ...terms }];
  const { url }: { url: string } = await (await postCall(page, `${fund}/checkouts`, { cart })).json();
  return url;
}

type Terms = { readonly recurring?: 'month' };

/** Donates by card without opening the payment page. @returns the address of the checkout */
export async function giveByCard(
  page: Caller,
  fund: string,
  dollars: number,
  email: string,
  { name = 'Ada Giver', ...terms }: Terms & { readonly name?: string } = {},
): Promise<string> {
  const url = await openCheckout(page, fund, dollars, terms);
  const form = { email, name, number: CARDS.succeeds, expiry: '12/40', cvc: '123' };
  const paymentPage = await page.request.post(url, { form, maxRedirects: 0 });
  const { location = '' } = paymentPage.headers();
  // Polls like the checkout page, because the program may still be recording the payment's webhook.
  const checkoutPath = `/api${URL.parse(location)?.pathname}`;
  await expect.poll(async () => (await page.request.get(checkoutPath)).json()).toMatchObject({ paymentStatus: 'paid' });
  return location;
}

/**
 * Donates $25 every month by card.
 * @param coversFee adds the card fee
 * @returns the checkout page
 */
export async function giveMonthly(page: Page, { coversFee = false } = {}): Promise<Page> {
  await page.goto(`${ORG}/donate`);
  await page.getByText('$25', { exact: true }).click();
  await page.getByText('Monthly', { exact: true }).click();
  if (coversFee) await page.getByRole('checkbox', { name: /card fee/ }).check();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.succeeds);
  await payment.waitForURL(/\/checkouts\//);
  return payment;
}

/** Reads the stats on a fund's home page, such as pounds offset, dollars raised, and grants awarded. */
export async function readHomeStats(page: Caller, fund: string) {
  const response = await page.request.get(`/api${fund}`);
  expect(response.ok()).toBe(true);
  const { stats }: { stats: { co2: number; gas: number; funds: number; grants: number } } = await response.json();
  return stats;
}

/** Waits for the total, because the payment page redirects before the payment is recorded. */
export async function expectFunds(page: Caller, fund: string, dollars: number): Promise<void> {
  await expect.poll(async () => (await readHomeStats(page, fund)).funds).toBe(dollars);
}
