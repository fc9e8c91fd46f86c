import { findFocusProblems } from './support/focus-order.ts';
import { expect, ORG, test } from './support/journey.ts';

test('on a phone, Tab moves through pages from top to bottom with visible focus, and Shift+Tab moves back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of [ORG, `${ORG}/donate`, `${ORG}/offsetters/maya-torres/`, '/login']) {
    await page.goto(path);
    expect.soft(await findFocusProblems(page, { goesBack: true }), path).toEqual([]);
  }
});

test('the keyboard can choose an amount and open the check dialog, which traps and restores focus', async ({
  page,
}) => {
  await page.goto(`${ORG}/donate`);
  const group = page.getByRole('group', { name: 'Choose an amount' });
  const amount = page.getByLabel('Amount', { exact: true });
  await expect(group.getByRole('radio')).toHaveCount(5);
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
  await group.getByRole('radio', { name: '$25', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(amount).toHaveValue('25');
  await page.keyboard.press('ArrowRight');
  await expect(group.getByRole('radio', { name: '$50', exact: true })).toBeFocused();
  await expect(amount).toHaveValue('50');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(amount).toHaveValue('500');
  await page.keyboard.press('Tab');
  await expect(amount).toBeFocused();
  await page.keyboard.type('70');
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('100');
  await expect(group.getByRole('radio', { name: '$100', exact: true })).toBeChecked();

  const check = page.getByRole('button', { name: 'Check', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Send Check' });
  await check.press('Enter');
  await expect(dialog).toBeVisible();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    const isOutside = await page.evaluate(() => {
      const { activeElement: element, body } = document;
      return element !== null && element !== body && !element.closest('dialog');
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(check).toBeFocused();

  // An invalid amount has an error next to its field, and no payment page opens.
  await amount.fill('12.50');
  await page.getByRole('main').getByRole('button', { name: 'Donate', exact: true }).press('Enter');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expect(amount).toHaveAccessibleDescription(/\w/);
  expect(page.context().pages()).toHaveLength(1);
});

test('additions to the cart, changes, and removals are announced', async ({ page }) => {
  await page.goto(ORG);
  await page.getByLabel('Trip mileage').fill('1000');
  await page.getByRole('button', { name: 'Calculate Offset' }).press('Enter');
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'Air travel was added. Your cart now has 1 item.' })).toHaveCount(1);
  const panel = page.getByRole('tabpanel');
  const changeNotice = status.filter({ hasText: 'Air travel was changed.' });
  for (const mileage of ['2000', '3000']) {
    await panel.getByRole('button', { name: /^Edit Air travel/ }).press('Enter');
    await expect(changeNotice).toHaveCount(0);
    await page.getByLabel('Trip mileage').fill(mileage);
    await page.getByRole('button', { name: 'Save changes' }).press('Enter');
    await expect(changeNotice).toHaveCount(1);
  }
  await panel.getByRole('button', { name: /^Remove/ }).press('Enter');
  await expect(status.filter({ hasText: 'Air travel was removed from your cart.' })).toHaveCount(1);
});
