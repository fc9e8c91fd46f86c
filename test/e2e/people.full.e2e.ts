// @spec 1.owners 2.user-home 2.users 2.edit-offsetter 2.offsetter-screen 2.checkout-screen 2.edit-offsetter-screen
// @spec 2.my-profile 4.checkout 4.edit-offsetter 6.signed-in 7.edit-offsetter 7.delete-offsetter 8.messages
// @spec decisions.3 decisions.4 decisions.5
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { expectFunds, readHomeStats } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { becomeOffsetter, giveAndOpenCheckout, STORY } from './support/offsetters.ts';
import { awaitEmail, newEmail, nextAdminEmail, postCall, signInAs } from './support/sign-in.ts';

async function openMyProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'My profile' }).click();
}

test('an owner edits their story, is warned before losing changes, and isn’t asked to write another', async ({
  page,
  fund,
  browser,
}) => {
  const email = newEmail('owner');
  const story = await becomeOffsetter(page, fund, email, 'Olga Owner');
  await expect(page.getByRole('link', { name: 'Edit' })).toBeHidden();
  await signInAs(page, email);
  await page.goto(fund);
  await openMyProfile(page);
  await expect(page.getByRole('heading', { name: 'Edit your story' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Olga Owner');
  await expect(page.getByPlaceholder('Why do you offset?')).toHaveValue(STORY);
  await expect(page.getByRole('button', { name: 'Delete' })).toBeHidden();
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByRole('textbox', { name: 'Story' }).fill('Too short');
  await expect(save).toBeDisabled();
  await page.getByRole('textbox', { name: 'Story' }).fill('Now the heat pump is in, and I know where my money went.');
  await page.getByRole('radio', { name: /Show my first name only/ }).check();
  await save.click();
  await page.waitForURL((url) => url.pathname === story);
  await expect(page.getByText('Your changes are saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Olga', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit' })).toBeVisible();
  const visitorPage = await (await browser.newContext()).newPage();
  await visitorPage.goto(story);
  await expect(visitorPage.getByText('Now the heat pump is in')).toBeVisible();
  await expect(visitorPage.getByText('Owner')).toBeHidden();
  await expect(visitorPage.getByRole('link', { name: 'Edit' })).toBeHidden();
  await visitorPage.context().close();
  expect(await findAccessibilityProblems(page), 'the story with its edit link').toEqual([]);

  // Leaving with unsaved changes, through a link or the back button, prompts for confirmation.
  await page.getByRole('link', { name: 'Edit' }).click();
  const storyField = page.getByRole('textbox', { name: 'Story' });
  const savedStory = await storyField.inputValue();
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await storyField.fill(`${savedStory} And more.`);
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click();
  await leaveDialog.getByRole('button', { name: 'Stay' }).click();
  await expect(storyField).toHaveValue(`${savedStory} And more.`);
  await page.goBack();
  await expect(leaveDialog).toBeVisible();
  await expect(page).toHaveURL(/\.edit\/offsetters/);
  await leaveDialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Olga', exact: true })).toBeVisible();
  await expect(page.getByText('And more.')).toBeHidden();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(storyField).toHaveValue(`${savedStory} And more.`);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(storyField).toHaveValue(savedStory);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL((url) => url.pathname === story);

  const completeResponse = page.waitForResponse((response) => response.url().endsWith('/complete') && response.ok());
  await giveAndOpenCheckout(page, fund, email);
  await completeResponse;
  await expect(page.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await expect(page.locator(`a[href="${story}"]`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit' })).toBeHidden();
});

test('an admin deletes an offsetter and returns to a list without it', async ({
  page,
  fund,
  browser,
  expectedErrors,
}) => {
  // The owner's open page updates and gets a 404 for the story.
  expectedErrors.push('404');
  const story = await becomeOffsetter(page, fund, newEmail('gone'), 'Gerda Gone');
  const context = await browser.newContext();
  const admin = await context.newPage();
  await signInAs(admin, nextAdminEmail());
  await admin.goto(story);
  await admin.getByRole('link', { name: 'Edit' }).click();
  await admin.getByRole('button', { name: 'Delete' }).click();
  const confirmation = admin.getByRole('dialog', { name: 'Delete story' });
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toBeHidden();
  await admin.getByRole('button', { name: 'Delete' }).click();
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await admin.waitForURL(/\/offsetters$/);
  await expect(admin.getByText('Gerda Gone’s story was deleted')).toBeVisible();
  await expect(admin.getByRole('heading', { name: 'Gerda Gone' })).toBeHidden();
  expect((await page.request.get(story)).status()).toBe(404);
  await context.close();
});

test('a user without an offsetter learns how to create one, and finds gifts made while logged out', async ({
  page,
  fund,
}) => {
  const email = newEmail('giver');
  await signInAs(page, email);
  await page.goto(fund);
  await openMyProfile(page);
  const dialog = page.getByRole('dialog', { name: 'No offsetter' });
  await expect(dialog).toContainText('create one by making a carbon offset');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(fund);
  await page.goto('/user-home');
  await expect(page.getByText('You haven’t given yet.')).toBeVisible();
  // A visitor without a token creates the checkout, so only the payer's email address is known.
  await giveAndOpenCheckout(page, fund, email);
  await page.goto('/user-home');
  await expect(page.getByText('You’ve given $25 so far.')).toBeVisible();
  const gift = page.getByRole('region', { name: 'My gifts' }).getByRole('listitem').first();
  await expect(gift).toContainText(/Donation.*Receipt no\. \d+.*\$25\.00.*Paid/s);
  await gift.getByRole('link', { name: /Tell your story/ }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Email' });
  await expect(field).toHaveValue(email);
  await expect(field).toBeDisabled();
  await expect(page.getByText('Already have an account?')).toBeHidden();
  expect(await findAccessibilityProblems(page), 'the checkout page, logged in').toEqual([]);
});

test('deleting an account requires a typed confirmation, removes the story, and keeps the gift', async ({
  page,
  fund,
}) => {
  const email = newEmail('deleted');
  const story = await becomeOffsetter(page, fund, email, 'Dora Deleted');
  const initialStats = await readHomeStats(page, fund);
  await signInAs(page, email);
  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete my account' });
  const confirm = dialog.getByRole('button', { name: 'Delete my account' });
  await expect(dialog).toContainText('stay in the fund’s books without your name');
  await expect(confirm).toBeDisabled();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel(/Type “delete”/).fill('delete');
  await confirm.click();
  await expect(page.getByText('Your account was deleted.')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  expect((await page.request.get(story)).status()).toBe(404);
  await expectFunds(page, fund, initialStats.funds);
  await signInAs(page, email);
  await page.goto('/user-home');
  await expect(page.getByText('You haven’t given yet.')).toBeVisible();
});

test('a user changes their name immediately, and their email after confirming the new address', async ({
  page,
  context,
  expectedErrors,
}) => {
  // The browser logs the rejected call of the used link.
  expectedErrors.push('422');
  const email = newEmail('before');
  const changedEmail = newEmail('after');
  await signInAs(page, email);
  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Add your name' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Uma Reyes');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your name was changed')).toBeVisible();
  await expect(page.getByText('Uma Reyes')).toBeVisible();

  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  const send = dialog.getByRole('button', { name: 'Send link' });
  await dialog.getByLabel('New email').fill(email);
  await expect(send).toBeDisabled();
  await dialog.getByLabel('New email').fill(changedEmail);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await send.click();
  await expect(page.getByText(`We’ve sent a link to ${changedEmail}.`)).toBeVisible();
  const { text } = await awaitEmail(changedEmail, 'asked to use this address');
  const link = /https?:\/\/\S+verify-email\?code=\S+/.exec(text)?.[0] ?? '';

  // The link asks a visitor to log in first and stays usable.
  await context.clearCookies();
  const emailTab = await context.newPage();
  await emailTab.goto(link);
  await expect(emailTab.getByText('Log in with your current email and password')).toBeVisible();
  expect(await findAccessibilityProblems(emailTab)).toEqual([]);
  await signInAs(emailTab, email);
  await emailTab.goto(link);
  await expect(emailTab).toHaveURL(/\/user-home\/account$/);
  await expect(emailTab.getByText(`Your email is now ${changedEmail}`)).toBeVisible();
  await expect(emailTab.getByText(changedEmail, { exact: true })).toBeVisible();
  await awaitEmail(email, 'Your account’s email address was changed');

  await emailTab.goto(link);
  await expect(emailTab.getByText('This link has expired or was already used.')).toBeVisible();
  await emailTab.getByRole('link', { name: 'Go to my account' }).click();
  await expect(emailTab.getByRole('heading', { name: 'My account' })).toBeVisible();
});

test('a user sets and changes a password, logs out everywhere else, and sees these actions in their activity', async ({
  page,
  browser,
  expectedErrors,
}) => {
  // The browser logs the rejected call.
  expectedErrors.push('422');
  const email = newEmail('password');
  await signInAs(page, email);
  await page.goto('/user-home/account');
  const savePassword = async (button: string, password: string, current?: string) => {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: button });
    if (current !== undefined) await dialog.getByLabel('Current password').fill(current);
    await dialog.getByLabel('New password').fill(password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    return dialog;
  };
  const common = await savePassword('Set a password', 'sunshine');
  await expect(common.getByRole('alert')).toContainText('This password is too easy to guess');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await common.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await expect(await savePassword('Set a password', 'a lamp in every window')).toBeHidden();
  await expect(page.getByText('Email link and password')).toBeVisible();
  await expect(await savePassword('Change password', 'a lamp in each window', 'a lamp in every window')).toBeHidden();

  const otherContext = await browser.newContext();
  const otherPage = await otherContext.newPage();
  expect((await postCall(otherPage, '/session/password', { email, password: 'a lamp in each window' })).ok()).toBe(
    true,
  );
  await otherPage.goto('/user-home/account');
  await expect(otherPage.getByText(email)).toBeVisible();
  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  await page
    .getByRole('dialog', { name: 'Log out everywhere else?' })
    .getByRole('button', { name: 'Log out', exact: true })
    .click();
  await expect(page.getByText('You’re logged out everywhere else')).toBeVisible();
  await otherPage.goto('/user-home/account');
  await otherPage.waitForURL(/\/login/);
  await otherContext.close();

  await page.getByRole('button', { name: 'Show my activity' }).focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('region', { name: 'My activity' }).getByRole('listitem');
  await expect(list.filter({ hasText: 'Added a way to log in' })).toHaveCount(1);
  await expect(list.filter({ hasText: 'Logged in' }).first()).toContainText('You · ');
  await expect(page.locator(':focus').getByRole('listitem')).toHaveCount(await list.count());
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('an admin finds users, makes one an admin, and revokes it', async ({ page, browser }) => {
  const email = newEmail('colleague');
  const colleagueContext = await browser.newContext();
  const colleague = await colleagueContext.newPage();
  await signInAs(colleague, email);
  await colleague.goto('/users');
  await expect(colleague.getByText("You don't have permission to view this page.")).toBeVisible();
  await signInAs(page, nextAdminEmail());
  await page.goto('/users');
  await page.getByLabel('Name or email').fill(email.toUpperCase());
  await page.getByRole('button', { name: 'Search' }).click();
  const person = page.getByRole('main').getByRole('listitem').filter({ hasText: email });
  await expect(person).toContainText('Verified');
  await person.getByRole('button', { name: 'Make admin' }).click();
  await expect(page.getByRole('dialog', { name: 'Make admin' })).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog', { name: 'Make admin' }).getByRole('button', { name: 'Make admin' }).click();
  await expect(person.getByText('Admin', { exact: true })).toBeVisible();
  await colleague.goto('/users');
  await expect(colleague.getByRole('heading', { name: 'Users' })).toBeVisible();
  await person.getByRole('button', { name: 'Revoke admin' }).click();
  await page.getByRole('dialog', { name: 'Revoke admin' }).getByRole('button', { name: 'Revoke admin' }).click();
  await expect(person.getByRole('button', { name: 'Make admin' })).toBeVisible();
  await colleague.goto('/users');
  await expect(colleague.getByText("You don't have permission to view this page.")).toBeVisible();
  await colleagueContext.close();
});
