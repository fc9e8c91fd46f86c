// @spec 1.editors 2.editor 2.editors-screen 5.email 7.add-editor 7.remove-editor 8.email-toast decisions.4
// @spec decisions.5
// Slow because each journey logs in several people, each in their own browser, and reads their email.
import type { Page } from '@playwright/test';
import { findAxeViolations } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, newEmail, nextAdminEmail, signInAs } from './support/sign-in.ts';

async function addEditor(page: Page, email: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Add editor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add editor' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: /^Editor/ }).check();
  await dialog.getByRole('button', { name: 'Add editor' }).click();
}

const editorRow = (page: Page, email: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: email });

test('someone without an account accepts an emailed invitation; another invitation is withdrawn', async ({
  page,
  fund,
  browser,
  expectedErrors,
}) => {
  // The browser logs a rejected call.
  expectedErrors.push('422');
  const email = newEmail('invited');
  await signInAs(page, nextAdminEmail());
  await page.goto(`${fund}/editor/editors`);
  await addEditor(page, 'nobody@nowhere');
  const emailToast = page.getByText('Not a valid email: nobody@nowhere');
  await expect(page.getByRole('dialog').filter({ has: emailToast })).toBeVisible();
  // The toast is in front of the dialog.
  await expect(page.getByRole('status').locator(emailToast)).toBeVisible();
  expect(
    await page
      .getByRole('status')
      .locator(emailToast)
      .evaluate((toast) => toast.matches(':popover-open')),
  ).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await addEditor(page, email);
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
  const invitedRegion = page.getByRole('region', { name: 'Invited' });
  await expect(invitedRegion).toContainText(email);
  // An admin who is not an editor has no side navigation, so the page is full width.
  expect(
    await invitedRegion.evaluate((region) => region.clientWidth / document.documentElement.clientWidth),
  ).toBeGreaterThan(0.8);

  const unwantedEmail = newEmail('unwanted');
  await addEditor(page, unwantedEmail);
  await editorRow(page, unwantedEmail).getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText(`Invitation to ${unwantedEmail} withdrawn`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invited' })).toBeFocused();
  await expect(editorRow(page, unwantedEmail)).toBeHidden();

  const { text } = await awaitEmail(email, 'help edit');
  const link = /https?:\S+\/email-signin\?\S+/.exec(text)?.[0] ?? '';
  const editorContext = await browser.newContext();
  const editor = await editorContext.newPage();
  await editor.goto(link);
  await expect(editor.getByText(/ invited you to work on Small Fund\. Your role: /)).toBeVisible();
  await expect(editor).not.toHaveURL(/code=/);
  expect(await findAxeViolations(editor)).toEqual([]);
  await editor.getByLabel('Your name').fill('Ines Invited');
  await editor.keyboard.press('Enter');
  await expect(editor.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await editor.goto(fund);
  await editor.getByRole('banner').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(editor).toHaveURL(`${fund}/editor/`);
  await editor.goto(`${fund}/editor/editors`);
  await expect(editorRow(editor, email)).toContainText('Ines Invited');
  await expect(editorRow(editor, email)).toContainText('(you)');
  const laterPage = await (await browser.newContext()).newPage();
  await laterPage.goto(link);
  await expect(
    laterPage.getByText('This invitation has expired, was withdrawn, or was already accepted.'),
  ).toBeVisible();
  await laterPage.context().close();
  await page.reload();
  await expect(editorRow(page, email).getByRole('button')).toBeVisible();
  await expect(editorRow(page, email).getByRole('button', { name: 'Withdraw' })).toBeHidden();

  await editorRow(page, email).getByRole('button').click();
  const detail = page.getByRole('dialog', { name: 'Ines Invited' });
  await expect(detail).toContainText('Since');
  await detail.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Remove from team' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Ines Invited is no longer an editor')).toBeVisible();
  await expect(editorRow(page, email)).toBeHidden();
  await editor.goto(`${fund}/editor/editors`);
  await expect(editor.getByText("You don't have permission to view this page.")).toBeVisible();
  await editorContext.close();
});

test('a removed or demoted editor loses access until an editor presses Undo; the last editor can’t be removed', async ({
  page,
  browser,
  expectedErrors,
}) => {
  // The browser logs rejected calls.
  expectedErrors.push('409');
  const [removerEmail, removedEmail] = [newEmail('remover'), newEmail('removed')];
  const otherContext = await browser.newContext();
  const otherPage = await otherContext.newPage();
  await signInAs(otherPage, removedEmail);
  const fund = `/orgs/${await openNewFund(page, { email: removerEmail })}`;
  const editors = `${fund}/editor/editors`;
  await page.goto(editors);
  await addEditor(page, removedEmail);
  await expect(page.getByText(`${removedEmail} is now an editor`)).toBeVisible();
  await addEditor(page, removedEmail);
  await expect(page.getByRole('dialog').getByText(`${removedEmail} is already an editor.`)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await editorRow(page, removedEmail).getByRole('button').click();
  await page.getByRole('dialog', { name: removedEmail }).getByRole('button', { name: 'Delete' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Remove from team' });
  await expect(confirmation).toContainText('They can undo this for 24 hours.');
  await confirmation.getByRole('button', { name: 'Remove' }).click();
  const undo = page
    .getByRole('region', { name: 'No longer editors' })
    .getByRole('button', { name: `Undo ${removedEmail}` });
  await expect(undo).toBeVisible();
  expect((await awaitEmail(removedEmail, 'removed you')).text).toContain('They can undo it until');
  await otherPage.goto(editors);
  await expect(otherPage.getByText("You don't have permission to view this page.")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  // The remover is now the last editor.
  await editorRow(page, removerEmail).getByRole('button').click();
  await page.getByRole('dialog', { name: removerEmail }).getByRole('button', { name: 'Delete' }).click();
  await expect(confirmation).toContainText('You will no longer be an editor of this site');
  await confirmation.getByRole('button', { name: 'Remove' }).click();
  await expect(confirmation.getByRole('alert')).toContainText('This is the last editor.');
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(editorRow(page, removerEmail)).toContainText('(you)');

  await undo.click();
  await expect(page.getByText(`${removedEmail} is an editor again`)).toBeVisible();
  await expect(undo).toBeHidden();
  await otherPage.reload();
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Editors' })).toBeVisible();

  await editorRow(page, removedEmail).getByRole('button').click();
  await page.getByRole('dialog', { name: removedEmail }).getByRole('button', { name: 'Change role' }).click();
  const roleDialog = page.getByRole('dialog', { name: `Change role for ${removedEmail}` });
  await roleDialog.getByRole('radio', { name: /^Viewer/ }).check();
  await expect(roleDialog).toContainText('They can undo this for 24 hours.');
  await roleDialog.getByRole('button', { name: 'Change role' }).click();
  await expect(editorRow(page, removedEmail).first()).toContainText('Viewer');
  await expect(page.getByRole('button', { name: `Undo ${removedEmail}` })).toBeVisible();
  expect((await awaitEmail(removedEmail, 'changed your role')).text).toContain('from “Editor” to “Viewer”');
  await otherPage.goto(`${fund}/editor/org`);
  await expect(otherPage.getByText("You don't have permission to view this page.")).toBeVisible();
  await otherContext.close();
});
