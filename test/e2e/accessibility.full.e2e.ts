import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';

// Dialogs and drawers; all-pages.e2e.ts visits the pages themselves.

test('axe finds no violations in the calculator, the dialogs, or the drawer', async ({ page }) => {
  await page.goto(ORG);
  for (const tab of ['Car', 'Home', 'Cart']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    expect(await findAccessibilityProblems(page), tab).toEqual([]);
  }
  await page.getByRole('tab', { name: 'Quick', exact: true }).click();
  await page.getByText('How is this computed?').click();
  await expect(page.getByRole('tabpanel')).toContainText('722 lb × 12 months = 8,664.00 lb');
  expect(await findAccessibilityProblems(page), 'Quick with its estimate details').toEqual([]);
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Car travel');
  expect(await findAccessibilityProblems(page), 'a cart with an item').toEqual([]);
  await page.getByRole('tab', { name: 'Air' }).click();
  await page.getByRole('button', { name: /^From/ }).click();
  await page.getByRole('dialog').getByLabel('City').fill('ithaca');
  await expect(
    page
      .getByRole('dialog')
      .getByText(/^Ithaca, .*New York/)
      .first(),
  ).toBeVisible();
  expect(await findAccessibilityProblems(page), 'the city picker').toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /menu/i }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findAccessibilityProblems(page), 'the drawer').toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${ORG}/donate`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Send Check' })).toBeVisible();
  expect(await findAccessibilityProblems(page), 'the check dialog').toEqual([]);
});
