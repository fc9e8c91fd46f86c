// @spec 1.sign-in 2.login 2.forgot-password 2.signup 2.sent-link 2.email-signin 2.route-names 2.forbidden 2.header
// @spec 2.drawer 2.login-screen 2.forgot-password-screen 4.logout 4.email-link 4.login 4.forgot-password 5.email
// @spec 5.password 5.editor-pages 6.signed-in 8.password-login 8.reset-mail 8.sign-in decisions.4
// Slow because each journey reads its email in a second tab.
import type { Page } from '@playwright/test';
import { SAMPLE_ADMIN, SAMPLE_EDITOR } from '#scripts/sample/sample-org.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, openMailbox, test } from './support/journey.ts';
import {
  awaitEmail,
  callWithToken,
  newEmail,
  nextAdminEmail,
  postCall,
  readEmails,
  signInAs,
} from './support/sign-in.ts';

const PASSWORD = 'dragonfly under the lamp';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const profileIcon = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'My giving' });
const loginIcon = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Log in' });
const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password' });
const linkForm = (page: Page) => page.getByRole('form', { name: 'Email me a sign-in link' });
const passwordForm = (page: Page) => page.getByRole('form', { name: 'Use a password' });

/** Waits for an email with a link to a page of the site. @returns the link */
async function awaitEmailLink(email: string, path: string): Promise<string> {
  const { text } = await awaitEmail(email, `${path}?code=`);
  const link = new RegExp(`https?://\\S+${path}\\?code=\\S+`).exec(text)?.[0];
  if (!link) throw new Error(`The email has no link to ${path}: ${text}`);
  return link;
}

/** Creates an account with a password through the API. Its address isn't verified yet. */
async function signUp(page: Page, email: string, returnTo?: string): Promise<void> {
  const response = await postCall(page, '/session/sign-up', { email, password: PASSWORD, name: 'Ada', returnTo });
  expect(response.ok()).toBe(true);
}

/** Creates an account with a password and a verified address, then logs out. */
async function addAccount(page: Page, email: string): Promise<void> {
  await signUp(page, email);
  const code = new URL(await awaitEmailLink(email, '/verify-email')).searchParams.get('code');
  expect((await postCall(page, '/session/password', { email, password: PASSWORD })).ok()).toBe(true);
  expect((await callWithToken(page, 'POST', '/session/verification', { code })).ok()).toBe(true);
  expect((await postCall(page, '/session/sign-out')).ok()).toBe(true);
}

async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await linkForm(page).getByLabel('Email').fill(email);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('an email link logs in all tabs and returns to the page', async ({ page, context }) => {
  const email = newEmail('linus');
  await page.goto(`${ORG}/offsetters`);
  await loginIcon(page).click();
  await expect(page).toHaveURL(/\/login\?return_to=%2Forgs%2Fsample%2Foffsetters$/);
  await expect(heading(page, 'Log in')).toBeFocused();
  const send = page.getByRole('button', { name: 'Email me a link' });
  await expect(send).toBeDisabled();
  await linkForm(page).getByLabel('Email').fill('linus@');
  await expect(send).toBeDisabled();
  await linkForm(page).getByLabel('Email').fill(email);
  await send.click();
  await expect(heading(page, 'Check your mail')).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/sent-link\\?email=${encodeURIComponent(email)}&return_to=`));

  const link = await awaitEmailLink(email, '/email-signin');
  expect(link).not.toContain(email.split('@')[0]);
  const emailTab = await context.newPage();
  await emailTab.goto(link);
  await expect(emailTab).toHaveURL(`${ORG}/offsetters`);
  await expect(profileIcon(emailTab)).toBeVisible();
  expect(await emailTab.evaluate(() => JSON.stringify(window.localStorage))).not.toContain(email);
  // The tab that requested the link updates automatically.
  await expect(page).toHaveURL(`${ORG}/offsetters`);
  await expect(profileIcon(page)).toBeVisible();
});

test('in Spanish, the email and the page it returns to are Spanish', { tag: '@full' }, async ({ page }) => {
  const email = newEmail('lupe');
  await page.goto('/es/login?return_to=%2Fuser-home');
  const form = page.getByRole('form', { name: 'Recibir un enlace por correo' });
  await form.getByRole('textbox').fill(email);
  await form.getByRole('button', { name: 'Enviarme un enlace' }).click();
  await expect(page).toHaveURL(/\/es\/sent-link\?/);
  const link = await awaitEmailLink(email, '/es/email-signin');
  await awaitEmail(email, 'Sirve una sola vez y vence en 10 minutos.');
  await page.goto(link);
  await expect(page).toHaveURL('/es/user-home');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
});

test('a link opened in another browser asks for the email, works once, and leaves no code in the address', {
  tag: '@full',
}, async ({ page, browser, expectedErrors }) => {
  expectedErrors.push('422');
  const email = newEmail('olga');
  await page.goto('/login?return_to=%2Forgs%2Fsample%2Ffaqs');
  await linkForm(page).getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  const link = await awaitEmailLink(email, '/email-signin');
  await expect(page).toHaveURL(/\/sent-link\?/);

  // This browser has since requested a link for another address.
  await page.goBack();
  await linkForm(page).getByLabel('Email').fill(newEmail('oscar'));
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page).toHaveURL(/\/sent-link\?/);
  await page.goto(link);
  await expect(page.getByText('This link may have gone to another address.')).toBeVisible();
  await expect(page.getByLabel('Please provide your email for confirmation')).toBeVisible();

  const otherPage = await (await browser.newContext()).newPage();
  await otherPage.goto(link);
  const field = otherPage.getByLabel('Please provide your email for confirmation');
  await expect(field).toBeVisible();
  await expect(otherPage).toHaveURL(/\/email-signin\?return_to=%2Forgs%2Fsample%2Ffaqs$/);
  await field.fill('somebody.else@example.org');
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await expect(otherPage.getByRole('alert')).toContainText('This link may have gone to another address.');
  await field.fill(email);
  await expect(otherPage.getByRole('alert')).toBeHidden();
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await expect(otherPage).toHaveURL(`${ORG}/faqs`);
  await expect(profileIcon(otherPage)).toBeVisible();
  await otherPage.goBack();
  expect(otherPage.url()).not.toContain('code=');
  await otherPage.context().close();

  await page.goto(link);
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await page.getByRole('button', { name: 'Send me a new link' }).click();
  await expect(page).toHaveURL(/\/sent-link\?.*return_to=%2Forgs%2Fsample%2Ffaqs$/);

  // A link without its code isn't a sign-in link.
  for (const path of ['/email-signin?return_to=%2Forgs%2Fsample', '/reset-password']) {
    await page.goto(path);
    await expect(page.getByText('This link is incomplete.')).toBeVisible();
  }
});

test('signing up with a password verifies the email and returns to the requested page', { tag: '@full' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push('422');
  const email = newEmail('petra');
  await page.goto('/login?return_to=%2Forgs%2Fsample%2Fdonate');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(heading(page, 'Sign up')).toBeFocused();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Name').fill('Petra');
  await passwordField(page).fill('12345');
  const button = page.getByRole('button', { name: 'Sign up' });
  await expect(button).toBeDisabled();
  await passwordField(page).fill('sunshine');
  await button.click();
  await expect(page.getByRole('alert')).toContainText('This password is too easy to guess');
  await expect(button).toBeDisabled();
  await passwordField(page).fill(PASSWORD);
  await button.click();
  await expect(heading(page, 'Check your mail')).toBeFocused();

  await page.goto(await awaitEmailLink(email, '/verify-email'));
  await expect(heading(page, 'Verify your email')).toBeVisible();
  await expect(page).toHaveURL('/verify-email?return_to=%2Forgs%2Fsample%2Fdonate');
  await page.getByLabel('Email').fill(email);
  await passwordField(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(`${ORG}/donate`);
  await expect(profileIcon(page)).toHaveAccessibleName('My giving');
});

test('a wrong password is reported above the button without revealing who has an account', {
  tag: '@full',
}, async ({ page, expectedErrors }) => {
  expectedErrors.push('401');
  const email = newEmail('walter');
  await addAccount(page, email);
  await page.goto('/user-home');
  await expect(page).toHaveURL('/login?return_to=%2Fuser-home');
  const button = page.getByRole('button', { name: 'Login' });
  await linkForm(page).getByLabel('Email').fill(email);
  await passwordField(page).fill('12345');
  await expect(button).toBeDisabled();
  await passwordField(page).fill('not my password');
  await button.click();
  const alert = passwordForm(page).getByRole('alert');
  await expect(alert).toHaveText('That email and password don’t match.');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await expect(button).toBeDisabled();
  await expect(passwordField(page)).toBeFocused();
  const [alertBox, buttonBox] = await Promise.all([alert.boundingBox(), button.boundingBox()]);
  expect((alertBox?.y ?? 0) + (alertBox?.height ?? 0)).toBeLessThan(buttonBox?.y ?? 0);
  await linkForm(page).getByLabel('Email').fill(newEmail('nobody'));
  await expect(alert).toBeHidden();
  await button.click();
  await expect(alert).toHaveText('That email and password don’t match.');
  await logIn(page, email);
  await expect(page).toHaveURL('/user-home');
});

// @asvs 6.2.6 6.2.7
test('a password can be shown, pasted, and saved by a password manager', { tag: '@full' }, async ({ page }) => {
  await page.goto('/login');
  await expect(passwordField(page)).toHaveAttribute('placeholder', 'Password - 6 characters or more');
  await expect(passwordField(page)).toHaveAttribute('type', 'password');
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password');
  await expect(passwordForm(page).locator('input').first()).toHaveAttribute('autocomplete', 'username');
  await passwordForm(page).locator('input').first().fill('ada@example.org', { force: true });
  await expect(linkForm(page).getByLabel('Email')).toHaveValue('ada@example.org');
  await passwordField(page).fill('a secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(passwordField(page)).toHaveAttribute('type', 'text');
  await expect(page.getByRole('button', { name: 'Hide password' })).toBeVisible();
  await passwordField(page).selectText();
  await page.keyboard.press('ControlOrMeta+c');
  await passwordField(page).fill('');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(passwordField(page)).toHaveValue('a secret');
  await page.goto('/signup');
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password');
  await expect(page.getByText('12 or more is safer')).toBeVisible();
});

test('a forgotten password is replaced through an email link, and other sessions must log in again', {
  tag: '@full',
}, async ({ page, browser, expectedErrors }) => {
  expectedErrors.push('401', '422', 'Failed to load resource');
  const email = newEmail('frida');
  await addAccount(page, email);
  const otherPage = await (await browser.newContext()).newPage();
  await otherPage.goto('/login?return_to=%2Forgs%2Fsample%2Fabout');
  await logIn(otherPage, email);
  await expect(otherPage).toHaveURL(`${ORG}/about`);

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(heading(page, 'Forgot password?')).toBeFocused();
  await page.getByLabel('Email').fill(email);
  await page.route('**/api/session/reset-requests', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Send reset password link' }).click();
  await expect(page.getByRole('alert')).toHaveText('Oops, there may have been a problem sending the reset link.');
  await expect(heading(page, 'Forgot password?')).toBeVisible();
  await page.getByRole('button', { name: 'Send reset password link' }).click();
  await expect(heading(page, 'Check your mail')).toBeFocused();
  await page.goto(await awaitEmailLink(email, '/reset-password'));
  await expect(page).toHaveURL('/reset-password');
  await passwordField(page).fill('sunshine');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByRole('alert')).toContainText('This password is too easy to guess');
  await passwordField(page).fill('lanterns over the lake');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your password was changed.')).toBeVisible();
  await logIn(page, email);
  await expect(passwordForm(page).getByRole('alert')).toContainText('don’t match');
  await logIn(page, email, 'lanterns over the lake');
  await expect(profileIcon(page)).toBeVisible();

  // Sessions that used the old password have ended.
  await profileIcon(otherPage).click();
  await expect(otherPage).toHaveURL('/login?return_to=%2Fuser-home');
  await logIn(otherPage, email, 'lanterns over the lake');
  await expect(otherPage).toHaveURL('/user-home');
  await otherPage.context().close();
});

test('after too many requests, the page shows how long to wait', { tag: '@full' }, async ({ page, expectedErrors }) => {
  expectedErrors.push('429');
  const email = newEmail('ivan');
  await page.goto('/login');
  await linkForm(page).getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  const sendAgain = page.getByRole('button', { name: 'Send again' });
  for (let count = 0; count < 4; count += 1) {
    await sendAgain.click();
    await expect(page.getByText('We’ve sent another link.')).toBeVisible();
  }
  await sendAgain.click();
  await expect(page.getByRole('alert')).toHaveText(/Please try again in 1\d minutes\.$/);
});

test('a dot marks an unverified email, and verifying it in one tab updates the other', {
  tag: '@full',
}, async ({ page, context, expectedErrors }) => {
  // The browser logs the rejected call of a link for another address.
  expectedErrors.push('422');
  const email = newEmail('vera');
  await signUp(page, email);
  await awaitEmailLink(email, '/verify-email');
  await page.goto('/login?return_to=%2Forgs%2Fsample');
  await logIn(page, email);
  await expect(page).toHaveURL(ORG);
  await expect(profileIcon(page)).toHaveAccessibleName('My giving (please verify your email)');

  await page.goto('/verify-email?code=for-another-address');
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();

  // An editor's page asks for verification before checking permissions.
  await page.goto(`${ORG}/editor/editors`);
  await expect(heading(page, 'Verify your email')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const emailCount = (await readEmails(email)).length;
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('We’ve sent another link to')).toBeVisible();
  await expect.poll(async () => (await readEmails(email)).length).toBe(emailCount + 1);
  const link = await awaitEmailLink(email, '/verify-email');
  const emailTab = await context.newPage();
  await emailTab.goto(link);
  await expect(emailTab).toHaveURL(`${ORG}/editor/editors`);
  await expect(heading(emailTab, 'No permission')).toBeVisible();
  await expect(heading(page, 'No permission')).toBeVisible();
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(profileIcon(page)).toHaveAccessibleName('My giving');
});

async function openDrawer(page: Page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  return page.getByRole('dialog');
}

// @asvs 7.4.4 14.3.1
test('logging out in one tab logs out everywhere and hides personal pages', { tag: '@full' }, async ({
  page,
  context,
  expectedErrors,
}) => {
  // A link under the pointer may be prefetched while the session ends. The client then repeats the call as a visitor.
  expectedErrors.push('401');
  await signInAs(page, newEmail('tina'));
  await page.goto(ORG);
  await expect(profileIcon(page)).toBeVisible();
  const otherPage = await context.newPage();
  await otherPage.goto('/user-home');
  await expect(heading(otherPage, 'My giving')).toBeVisible();
  const drawer = await openDrawer(page);
  await expect(drawer.getByRole('button')).toHaveText(['', 'My profile', 'Logout']);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('You’re logged out')).toBeVisible();
  await expect(loginIcon(page)).toBeVisible();
  await expect(otherPage).toHaveURL('/login?return_to=%2Fuser-home');
  await expect(loginIcon(otherPage)).toBeVisible();
  // The browser stays recognized, but that doesn't log anyone in.
  const expectedCookies = ['fund.state', 'fund.known_browser'];
  expect((await context.cookies()).filter(({ name }) => !expectedCookies.includes(name))).toEqual([]);
  await otherPage.goBack();
  await expect(heading(otherPage, 'My giving')).toBeHidden();
});

test('the menu and the pages match the role', { tag: '@full' }, async ({ page, browser }) => {
  const editor = newEmail('edda');
  const editorPage = await (await browser.newContext()).newPage();
  await signInAs(editorPage, editor);
  await editorPage.goto(`${ORG}/editor/editors`);
  await expect(heading(editorPage, 'No permission')).toBeVisible();
  await expect((await openDrawer(editorPage)).getByRole('link', { name: 'Editors' })).toBeHidden();

  await signInAs(page, nextAdminEmail());
  await page.goto(ORG);
  const drawer = await openDrawer(page);
  await expect(drawer.getByRole('region', { name: 'For admins' }).getByRole('link')).toHaveText(['Admin', 'Users']);
  await expect(drawer.getByRole('link', { name: 'Editors' })).toBeHidden();
  const response = await callWithToken(page, 'PUT', `${ORG}/editors`, { email: editor });
  expect(response.ok()).toBe(true);

  await editorPage.reload();
  await expect(heading(editorPage, /Editors/)).toBeVisible();
  const links = (await openDrawer(editorPage)).getByRole('region', { name: 'For editors' }).getByRole('link');
  await expect(links.filter({ hasText: 'Editors' })).toBeVisible();
  // Admin pages are guarded, nothing links to them, and their scripts aren't loaded.
  const scripts: string[] = [];
  editorPage.on('request', (request) => scripts.push(request.url()));
  for (const path of ['/admin', '/test']) {
    await editorPage.goto(path);
    await expect(heading(editorPage, 'No permission')).toBeVisible();
  }
  expect(scripts.some((url) => url.includes('.js'))).toBe(true);
  expect(scripts.filter((url) => /(?:admin|test)-page/.test(url))).toEqual([]);
  await editorPage.context().close();
});

test('users created at first start can log in through the mailbox and manage the sample', { tag: '@full' }, async ({
  page,
  browser,
}) => {
  await page.goto('/login?return_to=%2Forgs%2Fsample%2Feditor%2F');
  await linkForm(page).getByLabel('Email').fill(SAMPLE_EDITOR.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(heading(page, 'Check your mail')).toBeVisible();
  const link = await awaitEmailLink(SAMPLE_EDITOR.email, '/email-signin');
  await openMailbox(page);
  await page.getByText(SAMPLE_EDITOR.email).first().click();
  await expect(page.locator('body')).toContainText('/email-signin?code=');
  await page.goto(link);
  await expect(heading(page, 'Overview')).toBeVisible();
  const links = (await openDrawer(page)).getByRole('region', { name: 'For editors' }).getByRole('link');
  await expect(links.filter({ hasText: 'Checkouts' })).toBeVisible();

  const admin = await (await browser.newContext()).newPage();
  await signInAs(admin, SAMPLE_ADMIN.email);
  await admin.goto('/admin');
  await expect(heading(admin, 'Admin')).toBeVisible();
  await admin.context().close();
});

test('a logged-in user is redirected from the login page that was rendered for a visitor', {
  tag: '@full',
}, async ({ page }) => {
  await signInAs(page, newEmail('inga'));
  await page.goto(`/login?return_to=${encodeURIComponent(`${ORG}/donate`)}`);
  await expect(page).toHaveURL(`${ORG}/donate`);
  await expect(profileIcon(page)).toBeVisible();
});
