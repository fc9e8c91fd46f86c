// @spec 7.sign-in decisions.4
import type { Page } from '@playwright/test';
import { generateAppCode } from '#test/support/second-factors.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { startSeparateSite, testOnSeparateSite } from './support/separate-site.ts';
import {
  awaitEmail,
  callWithToken,
  expireConfirmations,
  newEmail,
  nextAdminEmail,
  postCall,
  readEmails,
  signInAs,
} from './support/sign-in.ts';

const PASSWORD = 'a lamp in every window';
const STEP_MS = 30_000;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const passwordForm = (page: Page) => page.getByRole('form', { name: 'Use a password' });
/** Matches the organization's page but not a login page that returns to it. */
const urlPattern = (path: string) => new RegExp(`^[^?]*${ORG}${path}$`);
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test.beforeEach(({ expectedErrors }) => {
  // The browser logs rejected calls.
  expectedErrors.push('401', '403', '422');
});

/** Adds a virtual passkey device that always recognizes its owner. */
async function addPasskeyDevice(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const setUserVerified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { setUserVerified };
}

/** Logs in a new user and sets a password. @returns the email address */
async function signInWithPassword(page: Page, name: string): Promise<string> {
  const email = newEmail(name);
  await signInAs(page, email);
  expect((await callWithToken(page, 'PUT', '/session/password', { password: PASSWORD })).ok()).toBe(true);
  return email;
}

/** @returns the authenticator app's key, and the recovery codes */
async function addAuthenticatorApp(page: Page, options = {}): Promise<{ key: string; codes: string[] }> {
  await page.goto('/user-home/account');
  return setUpAuthenticatorApp(page, options);
}

/** @param options `checksDialogs` also checks the accessibility of the dialogs */
async function setUpAuthenticatorApp(
  page: Page,
  { checksDialogs = false } = {},
): Promise<{ key: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const addDialog = dialog(page, 'Add an authenticator app');
  const key = ((await addDialog.getByRole('code').textContent()) ?? '').replaceAll(' ', '');
  if (checksDialogs) expect(await findAccessibilityProblems(page)).toEqual([]);
  await addDialog.getByLabel('Code').fill(generateAppCode(key, new Date()));
  await page.keyboard.press('Enter');
  const codesDialog = dialog(page, 'Your recovery codes');
  await expect(codesDialog.getByRole('button', { name: 'Copy' })).toBeFocused();
  await expect(codesDialog.getByRole('listitem')).toHaveCount(10);
  if (checksDialogs) expect(await findAccessibilityProblems(page)).toEqual([]);
  const codes = await codesDialog.getByRole('listitem').allTextContents();
  await codesDialog.getByRole('button', { name: 'I’ve saved them' }).click();
  // Waits for the page's own requests, so that no logout interrupts them.
  await expect(page.getByText('10 left')).toBeVisible();
  return { key, codes };
}

async function logOut(page: Page): Promise<void> {
  expect((await postCall(page, '/session/sign-out')).ok()).toBe(true);
}

/** Submits the password on the login page. */
async function submitPassword(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await passwordForm(page).getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(heading(page, 'Second step')).toBeFocused();
}

test('an authenticator app is set up, and its code works once and returns the user to the requested page', async ({
  page,
}) => {
  const email = await signInWithPassword(page, 'codes');
  const { key } = await addAuthenticatorApp(page, { checksDialogs: true });
  await awaitEmail(email, 'An authenticator app was added to your account');
  await logOut(page);
  // A second step that takes too long returns to the login page and keeps the target page.
  await page.goto(`/second-step?return_to=${ORG}/donate`);
  await expect(page.getByText('That took too long, or it was already done.')).toBeVisible();
  await page.getByRole('link', { name: 'Log in again' }).click();
  await expect(page).toHaveURL(/\/login\?return_to=%2Forgs%2Fsample%2Fdonate$/);
  await submitPassword(page, email);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const field = page.getByLabel('Code');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('That code is wrong or was already used.');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  // The next code, because the current one was used to set up the app.
  await field.fill(generateAppCode(key, new Date(Date.now() + STEP_MS)));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(urlPattern('/donate'));
  await page.goto('/second-step');
  await expect(page).not.toHaveURL(/second-step/);
});

test('a passkey is set up, confirms an action, serves as the second step after an email link, and is enough to log in', async ({
  page,
}) => {
  const device = await addPasskeyDevice(page);
  const email = await signInWithPassword(page, 'passkey');
  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const addDialog = dialog(page, 'Add a passkey');
  await addDialog.getByLabel('Name').fill('My laptop');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await addDialog.getByRole('button', { name: 'Add' }).click();
  await dialog(page, 'Your recovery codes').getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('My laptop')).toBeVisible();
  await awaitEmail(email, 'A passkey was added to your account');

  await expireConfirmations(email);
  const download = page.getByRole('button', { name: 'Download my data' });
  await download.click();
  const confirm = dialog(page, 'Confirm it’s you');
  const usePasskey = confirm.getByRole('button', { name: 'Use my passkey' });
  await expect(usePasskey).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await device.setUserVerified(false);
  await usePasskey.click();
  await expect(confirm.getByRole('alert')).toContainText('Please try again, or choose another way.');
  await device.setUserVerified(true);
  const [file] = await Promise.all([page.waitForEvent('download'), usePasskey.click()]);
  expect(file.suggestedFilename()).toBe('my-giving.json');
  await expect(confirm).toBeHidden();
  // The password confirms an identity only together with the passkey.
  await expireConfirmations(email);
  await download.click();
  await confirm.getByRole('button', { name: 'Use my password instead' }).click();
  await confirm.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await expect(confirm).toContainText('Your device will then ask for your passkey.');
  await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await logOut(page);

  expect((await postCall(page, '/session/link-requests', { email, returnTo: `${ORG}/about` })).ok()).toBe(true);
  const signInEmail = await awaitEmail(email, 'return_to=');
  const link = /https?:\/\/\S+email-signin\?\S+/.exec(signInEmail.text)?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('Please provide your email').fill(email);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(heading(page, 'Second step')).toBeVisible();
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await expect(page).toHaveURL(urlPattern('/about'));
  await logOut(page);

  await page.goto(`/login?return_to=${ORG}/faqs`);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page).toHaveURL(urlPattern('/faqs'));

  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  const removeDialog = dialog(page, 'Remove your second step');
  await expect(removeDialog).toContainText('This is your only second step');
  await removeDialog.getByRole('button', { name: 'Remove' }).click();
  await expect(removeDialog).toBeHidden();
  await expect(page.getByText('My laptop')).toBeHidden();
  await awaitEmail(email, 'A passkey was removed from your account');
});

test('a password plus an app or recovery code confirms the user’s identity, and a new app replaces a lost one', async ({
  page,
}) => {
  const email = await signInWithPassword(page, 'lost');
  const { key, codes } = await addAuthenticatorApp(page);
  const confirm = dialog(page, 'Confirm it’s you');
  await expireConfirmations(email);
  const download = page.getByRole('button', { name: 'Download my data' });
  await download.click();
  const button = confirm.getByRole('button', { name: 'Confirm', exact: true });
  const code = confirm.getByLabel('Code from your authenticator app');
  const password = confirm.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await password.fill(PASSWORD);
  await expect(button).toBeDisabled();
  await code.fill('000000');
  await button.click();
  await expect(confirm.getByText('That code is wrong or was already used.')).toBeVisible();
  await expect(code).toBeFocused();
  await expect(button).toBeDisabled();
  // The current code was used to set up the app.
  await code.fill(generateAppCode(key, new Date(Date.now() + STEP_MS)));
  await Promise.all([page.waitForEvent('download'), button.click()]);
  await expect(confirm).toBeHidden();
  await expireConfirmations(email);
  await download.click();
  await confirm.getByRole('button', { name: 'Use a recovery code' }).click();
  await password.fill(PASSWORD);
  await confirm.getByLabel('Recovery code').fill(codes[1] ?? '');
  await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await expect(confirm).toBeHidden();

  await logOut(page);
  await page.goto('/login?return_to=/user-home/account');
  await submitPassword(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByText('Please enter one of your recovery codes.')).toBeVisible();
  await expect(page.getByText('24 letters and digits')).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByText('8 left')).toBeVisible();
  await awaitEmail(email, '8 recovery codes are left');
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await dialog(page, 'Remove your second step').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('8 left')).toBeHidden();
  // If the password were enough, a stranger could lock the owner out.
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await confirm.getByRole('button', { name: 'Email me a code' }).click();
  const { text } = await awaitEmail(email, 'Your code is');
  await confirm.getByLabel('Code').fill(/Your code is (\d{6})\./.exec(text)?.[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  await expect(dialog(page, 'Add an authenticator app').getByRole('code')).toBeVisible();
});

test('in a fund that requires a second step, a user’s role is blocked until the user sets one up', async ({ page }) => {
  const orgId = await openNewFund(page);
  const settings = `/orgs/${orgId}/editor/org/security`;
  const settingsBody = { editorsNeedSecondFactor: true };
  await page.goto(settings);
  await page.getByLabel('Editors need a second step to log in').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This requires a second step when you log in.')).toBeVisible();
  await addAuthenticatorApp(page);
  expect((await callWithToken(page, 'PATCH', `/orgs/${orgId}`, settingsBody)).ok()).toBe(true);
  await page.goto('/user-home/account');
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await dialog(page, 'Remove your second step').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Remove authenticator app' })).toBeHidden();

  await page.goto(settings);
  await expect(heading(page, 'Set up a second step')).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await setUpAuthenticatorApp(page);
  await expect(heading(page, 'Org settings')).toBeVisible();
  await expect(page.getByLabel('Editors need a second step to log in')).toBeChecked();
});

test('after an admin removes a user’s second step, the user is notified and can log in with it to keep it', async ({
  page,
  browser,
}) => {
  const email = await signInWithPassword(page, 'locked-out');
  const { codes } = await addAuthenticatorApp(page);
  const adminContext = await browser.newContext();
  const admin = await adminContext.newPage();
  await signInAs(admin, nextAdminEmail());
  await admin.goto('/users');
  await admin.getByLabel('Name or email').fill(email);
  await admin.getByRole('button', { name: 'Search' }).click();
  const person = admin.getByRole('main').getByRole('listitem').filter({ hasText: email });
  await person.getByRole('button', { name: 'Remove second step' }).focus();
  await admin.keyboard.press('Enter');
  const confirmation = dialog(admin, 'Remove second step');
  await expect(confirmation).toContainText(email);
  expect(await findAccessibilityProblems(admin)).toEqual([]);
  await confirmation.getByRole('button', { name: 'Remove second step' }).click();
  await expect(person.getByText(/Second step will be removed/)).toBeVisible();
  await expect(person.getByRole('button', { name: 'Remove second step' })).toBeHidden();
  expect(await findAccessibilityProblems(admin)).toEqual([]);
  await adminContext.close();
  await awaitEmail(email, 'To keep it, log in with it before then');

  await page.goto('/user-home/account');
  const notice = page.getByText('Someone asked an admin to remove your second step');
  await expect(notice).toBeVisible();
  await logOut(page);
  await page.goto('/login?return_to=/user-home/account');
  await submitPassword(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByText('9 left')).toBeVisible();
  await expect(notice).toBeHidden();
});

const testStrictSite = testOnSeparateSite(() => startSeparateSite({ TEST_SETTINGS: 'second-step=required' }));

testStrictSite(
  'an admin without a second step is asked to set it up at login and then continues',

  async ({ page, expectedErrors }) => {
    expectedErrors.push('401', '403');
    await addPasskeyDevice(page);
    const email = nextAdminEmail();
    const emailCount = (await readEmails(email)).length;
    expect((await postCall(page, '/session/link-requests', { email, returnTo: '/users' })).ok()).toBe(true);
    await expect.poll(async () => (await readEmails(email)).length).toBeGreaterThan(emailCount);
    const [signInEmail] = await readEmails(email);
    await page.goto(/https?:\/\/\S+email-signin\?\S+/.exec(signInEmail?.text ?? '')?.[0] ?? '');
    await page.getByLabel('Please provide your email').fill(email);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(heading(page, 'Set up a second step')).toBeVisible();
    await expect(page).toHaveURL(/\/login\?return_to=%2Fusers$/);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect((await callWithToken(page, 'POST', '/orgs', {})).status()).toBe(403);
    // This step can't be skipped.
    await page.goto('/admin');
    await expect(heading(page, 'Set up a second step')).toBeVisible();
    await page.goto('/login?return_to=%2Fusers');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page, 'Add a passkey').getByRole('button', { name: 'Add' }).click();
    await dialog(page, 'Your recovery codes').getByRole('button', { name: 'I’ve saved them' }).click();
    await expect(page).toHaveURL(/\/users$/);
    await expect(heading(page, 'Users')).toBeVisible();
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: email })).toContainText('Admin');
  },
);
