// @spec decisions.6
import type { Page } from '@playwright/test';
import { giveByCard } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { newEmail } from './support/sign-in.ts';

const fundsStat = (page: Page) => page.getByText('$ in offsets raised').locator('xpath=..').getByRole('definition');

test('a gift in one browser updates the stats in another without a reload', async ({ page, fund }) => {
  const stream = page.waitForResponse(`**/api${fund}/live`);
  await page.goto(fund);
  await stream;
  await expect(fundsStat(page)).toHaveText('$0');
  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await page.getByLabel(/propane/i).fill('12');
  await giveByCard(page, fund, 25, newEmail('elsewhere'));
  await expect(fundsStat(page)).toHaveText('$25');
  await expect(page.getByLabel(/propane/i)).toHaveValue('12');
});

test.describe('with event streams blocked', () => {
  test.use({ expectedErrors: ['net::ERR_FAILED', 'net::ERR_BLOCKED'] });

  test('stats are updated by long polling', async ({ page, fund }) => {
    await page.route(`**/api${fund}/live`, (route) => route.abort());
    const poll = page.waitForRequest(`**/api${fund}/changes?**`);
    await page.goto(fund);
    await expect(fundsStat(page)).toHaveText('$0');
    await poll;
    await giveByCard(page, fund, 25, newEmail('elsewhere'));
    await expect(fundsStat(page)).toHaveText('$25');
  });
});
