import type { Browser, Page } from '@playwright/test';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

const raised = (page: Page) => page.getByText('$ in offsets raised').locator('xpath=..').getByRole('definition');
const dollars = async (page: Page) => Number((await raised(page).innerText()).replace(/[$,]/g, ''));
const formatted = (amount: number) => `$${new Intl.NumberFormat('en-US').format(amount)}`;

/** Someone else gives $25, in another browser. */
async function giveElsewhere(browser: Browser, baseURL: string | undefined): Promise<void> {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await page.goto(`${ORG}/donate`);
  await page.getByText('$25', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.pays, 'elsewhere@example.org');
  await payment.waitForURL(/\/orgs\/sample\/checkouts\//);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await context.close();
}

test('a gift made in one browser updates the stats in another, without a reload', async ({
  page,
  browser,
  baseURL,
}) => {
  const stream = page.waitForResponse(/\/api\/orgs\/sample\/live$/);
  await page.goto(ORG);
  await stream;
  const before = await dollars(page);
  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await page.getByLabel(/propane/i).fill('12');
  await giveElsewhere(browser, baseURL);
  await expect(raised(page)).toHaveText(formatted(before + 25));
  await expect(page.getByLabel(/propane/i)).toHaveValue('12');
});

test.describe('where event streams are blocked', () => {
  test.use({ expectedErrors: ['net::ERR_FAILED', 'net::ERR_BLOCKED'] });

  test('the stats are updated by long polls', async ({ page, browser, baseURL }) => {
    await page.route(/\/api\/orgs\/sample\/live$/, (route) => route.abort());
    const poll = page.waitForRequest(/\/api\/orgs\/sample\/changes\?/);
    await page.goto(ORG);
    const before = await dollars(page);
    await poll;
    await giveElsewhere(browser, baseURL);
    await expect(raised(page)).toHaveText(formatted(before + 25), { timeout: 30_000 });
  });
});
