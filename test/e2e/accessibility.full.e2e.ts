import { findProblems } from './support/axe.ts';
import { openPayment } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

// Dialogs and drawers; all-pages.e2e.ts visits the pages themselves.

test('axe finds nothing in the calculator, the dialogs and the drawer', async ({ page }) => {
  await page.goto(ORG);
  for (const tab of ['Car', 'Home', 'Cart', 'Quick']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    expect(await findProblems(page), tab).toEqual([]);
  }
  await page.getByText('How is this computed?').click();
  await expect(page.getByRole('tabpanel')).toContainText('722 lb × 12 months = 8,664.00 lb');
  expect(await findProblems(page), 'estimate details').toEqual([]);
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Car travel');
  expect(await findProblems(page), 'a cart with an item').toEqual([]);
  await page.getByRole('tab', { name: 'Air' }).click();
  await page.getByRole('button', { name: /^From/ }).click();
  await page.getByRole('dialog').getByLabel('City').fill('ithaca');
  await expect(
    page
      .getByRole('dialog')
      .getByText(/^Ithaca, .*New York/)
      .first(),
  ).toBeVisible();
  expect(await findProblems(page), 'the city picker').toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /menu/i }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findProblems(page), 'the drawer').toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${ORG}/donate`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Send Check' })).toBeVisible();
  expect(await findProblems(page), 'the check dialog').toEqual([]);
});

test('axe finds nothing on the payment page', async ({ page }) => {
  await page.goto(`${ORG}/donate`);
  await page.getByText('$50', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  expect(await findProblems(payment)).toEqual([]);
});
