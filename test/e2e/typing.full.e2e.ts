// @spec decisions.4
import type { Browser, Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { awaitEmail, callWithToken, newEmail, signInAs } from './support/sign-in.ts';

const STORY = 'The Okafor family insulated their attic, and the house stays warm all night now.';

/** Ends a person's sessions from another browser. */
async function logOutElsewhere(browser: Browser, email: string): Promise<void> {
  const phoneContext = await browser.newContext();
  await signInAs(phoneContext, email);
  const response = await callWithToken(phoneContext, 'POST', '/session/sign-out-elsewhere');
  expect(response.ok()).toBe(true);
  await phoneContext.close();
}

async function typeStory(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('The Okafor family');
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
}

test('if a session ends while the user types, saving asks for a login on top of the form and then succeeds', async ({
  page,
  browser,
  context,
  expectedErrors,
}) => {
  expectedErrors.push('401', '400');
  const email = newEmail('typing');
  const orgId = await openNewFund(page, { email });
  await page.goto(`/orgs/${orgId}/editor/awardees/new`);
  await typeStory(page);
  await logOutElsewhere(browser, email);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await expect(dialog).toContainText(
    `Your session ended. What you typed is still here. Log in as ${email} to save it.`,
  );
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel('Password', { exact: true }).fill('not my password');
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('button', { name: 'Email me a link' }).click();
  await expect(dialog).toContainText(`We emailed a link to ${email}.`);
  const { text } = await awaitEmail(email, 'code=');
  const [link = ''] = /https?:\S+code=\S+/.exec(text) ?? [];
  const otherTab = await context.newPage();
  await otherTab.goto(link);
  await expect(dialog).toBeHidden();
  await expect(page.getByText('The Okafor family is saved as a draft')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('The Okafor family');
});

test('drafts of a story, a setting, and a page text survive a reload until they are discarded or saved, or the user logs out', async ({
  page,
  expectedErrors,
}) => {
  // The browser logs page requests that the logout interrupts.
  expectedErrors.push('401');
  const email = newEmail('typing');
  const orgId = await openNewFund(page, { email });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/orgs/${orgId}/editor/awardees/new`);
  await typeStory(page);
  await page.reload();
  await expect(page.getByText('We kept what you typed.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Story' })).toHaveValue(STORY);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('textbox', { name: 'Story' })).toHaveValue('');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Story' })).toHaveValue('');

  await page.goto(`/orgs/${orgId}/editor/org`);
  await page.getByRole('textbox', { name: 'Tag' }).fill('Warm homes for all');
  await page.reload();
  await expect(page.getByText('We kept what you typed.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Tag' })).toHaveValue('Warm homes for all');
  await expect(page.getByText('We kept what you typed.')).toBeHidden();

  await page.goto(`/orgs/${orgId}/editor/pages`);
  const text = page.getByRole('region', { name: 'Introduction, Offsetters', exact: true });
  await text.getByRole('button', { name: 'Edit' }).click();
  await text.getByRole('textbox').fill('Our own introduction');
  await page.reload();
  await text.getByRole('button', { name: 'Resume' }).click();
  await expect(text.getByRole('textbox')).toHaveValue('Our own introduction');

  const countDrafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length);
  expect(await countDrafts()).toBe(1);
  await page.goto(`/orgs/${orgId}`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect.poll(countDrafts).toBe(0);
});
