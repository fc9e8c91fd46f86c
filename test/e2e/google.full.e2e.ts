// @spec 1.sign-in 2.login-screen 8.sign-in decisions.4
import { type OpenIdProvider, startOpenIdProvider } from '#test/support/openid-provider.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';
import { type SampleSite, startSampleSite } from './support/sample-site.ts';
import { newEmail } from './support/sign-in.ts';

let provider: OpenIdProvider;
let site: SampleSite;

// All journeys share one site.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  provider = await startOpenIdProvider();
  site = await startSampleSite(provider.env);
});
test.afterAll(async () => {
  await site.stop();
  await site.deleteData();
  await provider.close();
  expect(site.errors).toEqual([]);
});
test.beforeEach(({ expectedErrors }) => {
  provider.fault = undefined;
  // The stand-in for Google has no icon.
  expectedErrors.push('404');
});

const CONFIRMATION_REQUIRED = {
  type: 'about:blank',
  title: 'Confirmation required',
  code: 'confirmation-required',
  requestId: 'r1',
  detail: 'Please confirm it’s you first.',
};

/** Adds a person with an account at the provider. @returns the email address */
function addGooglePerson(name: string): string {
  const email = newEmail(name);
  provider.people = [{ sub: email, email, emailVerified: true, name: 'Grace Google' }, ...provider.people];
  return email;
}

test('Google login returns to the guarded page, uses the typed email as a hint, and logs in all tabs', async ({
  page,
  context,
}) => {
  addGooglePerson('someone-else');
  const email = addGooglePerson('grace');
  const otherPage = await context.newPage();
  await otherPage.goto(`${site.url}${ORG}/about`);
  await page.goto(`${site.url}/user-home`);
  await expect(page).toHaveURL(`${site.url}/login?return_to=%2Fuser-home`);
  await page.getByRole('textbox', { name: 'Email' }).first().fill(email);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: `Continue as ${email}` }).click();
  await expect(page).toHaveURL(`${site.url}/user-home`);
  await expect(page.getByRole('heading', { level: 1, name: 'My giving' })).toBeVisible();
  await expect(otherPage.getByRole('banner').getByRole('link', { name: 'My giving' })).toBeVisible();
  expect(provider.queries.at(-1)).toMatchObject({ login_hint: email, code_challenge_method: 'S256' });
  expect(provider.queries.at(-1)?.nonce).toBeTruthy();
});

test('a Google user confirms their identity in another window, and the action continues', async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push('401');
  const email = addGooglePerson('gisela');
  await page.goto(`${site.url}/login?return_to=%2Fuser-home%2Faccount`);
  await page.getByRole('textbox', { name: 'Email' }).first().fill(email);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: `Continue as ${email}` }).click();
  await expect(page).toHaveURL(`${site.url}/user-home/account`);
  // Simulates a confirmation older than six minutes.
  const problemResponse = { status: 401, contentType: 'application/problem+json' };
  const json = { ...CONFIRMATION_REQUIRED, status: 401 };
  await page.route('**/api/users/*/data', (route) => route.fulfill({ ...problemResponse, json }), { times: 1 });
  await page.getByRole('button', { name: 'Download my data' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(confirm.getByRole('button', { name: 'Email me a code instead' })).toBeVisible();
  await expect(confirm.getByRole('button', { name: 'Use my password instead' })).toBeHidden();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const [google] = await Promise.all([
    context.waitForEvent('page'),
    confirm.getByRole('button', { name: 'Continue with Google' }).click(),
  ]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    google.getByRole('button', { name: `Continue as ${email}` }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('my-giving.json');
  await expect(confirm).toBeHidden();
});

test('if the user declines at Google or the Google email is unverified, the page explains why and offers another way', async ({
  page,
}) => {
  for (const fault of ['denied', 'wrong-nonce'] as const) {
    provider.fault = fault;
    await page.goto(`${site.url}/login?return_to=%2Forgs%2Fsample%2Fdonate`);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: /^Continue as/ }).click();
    await expect(page).toHaveURL(/\/login\?error=google&return_to=%2Forgs%2Fsample%2Fdonate$/);
    await expect(page.getByText('Google login didn’t work.')).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  }
});
