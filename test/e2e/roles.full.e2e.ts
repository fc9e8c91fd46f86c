// @spec decisions.4
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findAxeViolations } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund, signInAsEditor } from './support/new-fund.ts';
import { awaitEmail, callWithToken, newEmail, signInAs } from './support/sign-in.ts';

const FORBIDDEN = "You don't have permission to view this page.";
/** Names of buttons that change something. */
const CHANGE_BUTTONS =
  /Refund|Delete|Send|Resolve|Stop|Record|Mark|Cancel|Restore|Reverse|Keep|Add|Change|Withdraw|Save|Upload/;

const memberRow = (page: Page, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });

async function expectAccessible(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

test('an accountant is invited as a viewer, sees the books, and can’t change anything', async ({ page, browser }) => {
  await signInAsEditor(page, 'inviter');
  const email = newEmail('accountant');
  await page.goto(`${ORG}/editor/editors`);
  await page.getByRole('main').getByRole('button', { name: 'Add editor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add editor' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: /^Viewer/ }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add editor' }).click();
  await expect(memberRow(page, email)).toContainText('Viewer, invited');
  const { text } = await awaitEmail(email, 'see the books of');
  expect(text.replace(/\s+/g, ' ')).toContain('Viewers can see and download gifts, donors, and books');

  const reader = await (await browser.newContext()).newPage();
  await signInAs(reader, email);
  await reader.goto(`${ORG}/editor/`);
  await expect(reader.getByText('They can’t change anything.')).toBeVisible();
  await expect(reader.getByRole('heading', { name: 'Needs your attention' })).toBeHidden();
  await expect(reader.getByRole('img', { name: /^Dollars given/ })).toBeVisible();
  await expectAccessible(reader);
  const nav = reader.getByRole('navigation', { name: 'Editor pages' });
  await expect(nav.getByRole('link')).toHaveText([
    'Overview',
    'Checkouts',
    'Donors',
    'Payouts',
    'Statements',
    'Grants',
    'Editors',
    'Activity',
  ]);
  await nav.getByRole('link', { name: 'Checkouts' }).click();
  await reader.getByRole('link', { name: /^Info/ }).first().click();
  const checkout = reader.getByRole('dialog');
  await expect(checkout.getByRole('heading', { name: 'Cart' })).toBeVisible();
  await expect(checkout.getByRole('button', { name: CHANGE_BUTTONS })).toHaveCount(0);
  await checkout.getByText('Reference numbers').click();
  const checkoutId = await checkout.locator('code').first().innerText();
  await checkout.getByRole('button', { name: 'Close' }).last().click();
  await reader.getByRole('button', { name: 'Export the ledger' }).click();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).split('\r\n').length).toBeGreaterThan(2);
  for (const path of [
    'checkouts?kind=check',
    'checkouts?part=receipts',
    'payouts',
    'statement',
    'activity',
    'editors',
  ]) {
    await reader.goto(`${ORG}/editor/${path}`);
    await expect(reader.getByRole('heading', { level: 1 })).not.toHaveText('No permission');
    // On the editors page, users with any role can choose which emails they get.
    const allowedButtons = path === 'editors' ? ['Save'] : [];
    await expect(reader.getByRole('main').getByRole('button', { name: CHANGE_BUTTONS })).toHaveText(allowedButtons);
  }

  const refund = { requestid: crypto.randomUUID(), entryid: 'any', reason: 'By hand' };
  const response = await callWithToken(reader, 'POST', `${ORG}/checkouts/${checkoutId}/refunds`, refund);
  expect([response.status(), (await response.json()).code]).toEqual([403, 'forbidden']);

  await memberRow(reader, email).getByRole('button').click();
  await reader.getByRole('dialog').getByRole('button', { name: 'Step down' }).click();
  await reader.getByRole('dialog', { name: 'Step down' }).getByRole('button', { name: 'Step down' }).click();
  await expect(reader.getByText('You are no longer a viewer')).toBeVisible();
  await reader.goto(`${ORG}/editor/`);
  await expect(reader.getByText(FORBIDDEN)).toBeVisible();
  await reader.context().close();
});

test('a page editor edits a cell and can’t open checkouts until an editor changes their role', async ({
  page,
  browser,
}) => {
  const [editorEmail, email] = [newEmail('editor'), newEmail('writer')];
  const fundPath = `/orgs/${await openNewFund(page, { email: editorEmail })}`;
  const writer = await (await browser.newContext()).newPage();
  await signInAs(writer, email);
  await page.goto(`${fundPath}/editor/editors`);
  expect((await callWithToken(page, 'PUT', `${fundPath}/editors`, { email, role: 'texts' })).ok()).toBe(true);

  await writer.goto(`${fundPath}/editor/`);
  await expect(writer.getByText('Page editors can edit the text on pages')).toBeVisible();
  await expectAccessible(writer);
  await writer.getByRole('region', { name: 'Your pages' }).getByRole('link', { name: 'Edit pages' }).click();
  const card = writer.getByRole('region', { name: 'Introduction, Offsetters', exact: true });
  await card.getByRole('button', { name: 'Edit' }).click();
  await card.getByRole('textbox').fill('Neighbors who give');
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(writer.getByText('Saved. The change is live.')).toBeVisible();
  await writer.goto(`${fundPath}/editor/checkouts`);
  await expect(writer.getByText(FORBIDDEN)).toBeVisible();
  await expect(writer.getByText('Your role here is “Page editor”. Only an editor can change it.')).toBeVisible();
  await expectAccessible(writer);
  await writer.getByRole('link', { name: 'See the editors' }).click();
  await expect(memberRow(writer, editorEmail)).toContainText('Editor');

  await page.reload();
  await memberRow(page, email).getByRole('button').click();
  await page.getByRole('dialog', { name: email }).getByRole('button', { name: 'Change role' }).click();
  const roleDialog = page.getByRole('dialog', { name: `Change role for ${email}` });
  await roleDialog.getByRole('radio', { name: /^Treasurer/ }).check();
  await expectAccessible(page);
  await roleDialog.getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByText(`${email} is now a treasurer`)).toBeVisible();
  await expect(memberRow(page, email)).toContainText('Treasurer');
  expect((await awaitEmail(email, 'made you a treasurer')).text).toContain(encodeURIComponent(`${fundPath}/editor/`));
  await writer.goto(`${fundPath}/editor/checkouts`);
  await expect(writer.getByText('No checkouts found.')).toBeVisible();
  await writer.goto(`${fundPath}/editor/pages`);
  await expect(writer.getByText(FORBIDDEN)).toBeVisible();
  await writer.context().close();
});
