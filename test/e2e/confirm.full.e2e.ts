// @spec 7.sign-in
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { giveByCard } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, callWithToken, expireConfirmations, newEmail, signInAs } from './support/sign-in.ts';

const PASSWORD = 'a lamp in every window';

const findConfirmDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });

async function emailCode(email: string): Promise<string> {
  const { text } = await awaitEmail(email, 'Your code is');
  return /Your code is (\d{6})\./.exec(text)?.[1] ?? '';
}

async function readDownload(page: Page, startDownload: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), startDownload()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), 'utf8') };
}

test.beforeEach(({ expectedErrors }) => {
  // The browser logs rejected calls.
  expectedErrors.push('401', '422');
});

test('a refund asks for the password first, and declining keeps what was typed', async ({ page }) => {
  const editor = newEmail('editor');
  const orgId = await openNewFund(page, { email: editor });
  expect((await callWithToken(page, 'PUT', '/session/password', { password: PASSWORD })).ok()).toBe(true);
  await giveByCard(page, `/orgs/${orgId}`, 50, newEmail('giver'));
  await page.goto(`/orgs/${orgId}/editor/checkouts`);
  await page.getByRole('link', { name: /^Info/ }).click();
  await page.getByRole('button', { name: /^Refund/ }).click();
  const refund = page.getByRole('dialog', { name: 'Refund payment' });
  await refund.getByLabel('Amount').fill('20.00');
  await refund.getByLabel('Reason').fill('Meant to give less');
  await expireConfirmations(editor);
  await refund.getByRole('button', { name: 'Refund $20.00' }).click();
  const confirm = findConfirmDialog(page);
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(refund.getByText('Please confirm it’s you first.')).toBeVisible();
  await expect(refund.getByLabel('Amount')).toHaveValue('20.00');
  await expect(refund.getByLabel('Reason')).toHaveValue('Meant to give less');
  await refund.getByRole('button', { name: 'Refund $20.00' }).click();
  const password = confirm.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await password.fill('not my password');
  await page.keyboard.press('Enter');
  await expect(confirm.getByText('That password isn’t right.')).toBeVisible();
  await expect(confirm.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await expect(password).toBeFocused();
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Refunding $20.00', { exact: true })).toBeVisible();
  await expect(confirm).toBeHidden();
  await expect(page.getByRole('dialog')).toContainText('Meant to give less');
});

test('setting a first password requires an emailed code, and later downloads require the password', async ({
  page,
}) => {
  const email = newEmail('first');
  await signInAs(page, email);
  await page.goto('/user-home/account');
  await expireConfirmations(email);
  await page.getByRole('button', { name: 'Set a password' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Set a password' });
  await passwordDialog.getByLabel('New password').fill(PASSWORD);
  await passwordDialog.getByRole('button', { name: 'Save' }).click();
  const confirm = findConfirmDialog(page);
  await confirm.getByRole('button', { name: 'Email me a code' }).click();
  const code = confirm.getByRole('textbox', { name: 'Code' });
  await expect(code).toBeFocused();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const sentCode = await emailCode(email);
  await code.fill(sentCode === '000000' ? '111111' : '000000');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirm.getByText('That code is wrong or has expired.')).toBeVisible();
  await code.fill(`${sentCode.slice(0, 3)} ${sentCode.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password is saved')).toBeVisible();
  const download = page.getByRole('button', { name: 'Download my data' });
  const { name, content } = await readDownload(page, () => download.click());
  expect(name).toBe('my-giving.json');
  expect(JSON.stringify(JSON.parse(content))).toContain(email);

  await expireConfirmations(email);
  await download.click();
  await expect(confirm.getByRole('textbox', { name: 'Password' })).toBeFocused();
  await confirm.getByRole('button', { name: 'Email me a code instead' }).click();
  await expect(confirm.getByRole('button', { name: 'Use my password instead' })).toBeVisible();
  await expect(confirm.getByRole('button', { name: 'Email me a code', exact: true })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(page.getByText('Please confirm it’s you first.')).toBeVisible();
  // A confirmed download starts without another click.
  await download.click();
  await confirm.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  expect(await readDownload(page, () => page.keyboard.press('Enter'))).toMatchObject({ name: 'my-giving.json' });
  await expect(confirm).toBeHidden();
});
