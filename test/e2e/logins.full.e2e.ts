// @spec 7.sign-in
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { newEmail, signInAs } from './support/sign-in.ts';

test('a user sees all their logins, names one, and ends it', async ({ page, browser }) => {
  const email = newEmail('logins');
  const phoneContext = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
    extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' },
  });
  const phonePage = await phoneContext.newPage();
  await signInAs(phonePage, email);
  await signInAs(page, email);
  await page.goto('/user-home/account');
  const rows = page.getByRole('region', { name: 'Where you’re logged in' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  const [currentRow, phoneRow] = [
    rows.filter({ hasText: 'This device' }),
    rows.filter({ hasText: 'Safari on iPhone' }),
  ];
  await expect(currentRow).toContainText(/Chrome on Linux.*Logged in .* from 10\./s);
  await expect(phoneRow).toContainText(/Last used .*Logged in .* from 203\.0\.113\.7/s);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await phoneRow.getByRole('button', { name: 'Rename' }).click();
  const nameDialog = page.getByRole('dialog', { name: 'Name this login' });
  await nameDialog.getByLabel('Name').fill('My phone');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(nameDialog).toBeHidden();
  await page.reload();
  const phone = rows.filter({ hasText: 'My phone' });
  await phone.getByRole('button', { name: 'Log out on My phone' }).click();
  const logoutDialog = page.getByRole('dialog', { name: 'Log out of this session?' });
  await expect(logoutDialog).toContainText('“My phone” will be logged out.');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await logoutDialog.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByText('That session was logged out')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await phonePage.goto('/user-home/account');
  await phonePage.waitForURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Log out everywhere else' })).toBeHidden();
  await page.getByRole('button', { name: 'Log out here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  await phoneContext.close();
});
