// @spec decisions.3
import { findProblems } from './support/axe.ts';
import { giveMonthly } from './support/giving.ts';
import { expect } from './support/journey.ts';
import { startSeparateSite, testOnSeparateSite } from './support/separate-site.ts';

/** Moving the clock would disturb other journeys. */
const test = testOnSeparateSite(() => startSeparateSite());

test('by keyboard and on a phone, the sandbox renews, refunds, and disputes a monthly gift', async ({ page }) => {
  await giveMonthly(page);
  const dashboard = await page.context().newPage();
  await dashboard.setViewportSize({ width: 390, height: 800 });
  await dashboard.goto('/sandbox');
  const payments = dashboard.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  await expect(payments).toHaveCount(1);
  for (const count of [2, 3, 4]) {
    await dashboard.getByRole('button', { name: 'Move the clock 1 month' }).press('Enter');
    await expect(payments).toHaveCount(count);
  }
  const [newest, older] = [payments.first(), payments.last()];
  await newest.getByText('Refund or dispute').press('Enter');
  await newest.getByLabel('Amount to refund, in dollars').fill('5');
  await newest.getByRole('button', { name: 'Refund' }).press('Enter');
  await expect(newest).toContainText('Paid, $5.00 refunded');
  await older.getByText('Refund or dispute').click();
  await older.getByRole('button', { name: /^Dispute/ }).click();
  await older.getByText('Refund or dispute').click();
  expect(await findProblems(dashboard)).toEqual([]);
  await older.getByRole('button', { name: 'Lose the dispute' }).click();
  await expect(older).toContainText('dispute lost');
});
