// @spec 2.checkout-screen 5.profile decisions.5
import type { Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { expect, test } from './support/journey.ts';
import { giveAndOpenCheckout, STORY } from './support/offsetters.ts';
import { newEmail } from './support/sign-in.ts';

async function fillProfile(page: Page, { name = 'Grace Giver', story = STORY } = {}): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.org');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Story' }).fill(story);
}

async function choosePhoto(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await page.getByLabel(/Profile Photo/).setInputFiles({ name, mimeType, buffer });
}

test('a complete profile can be submitted, and the form explains which photo it needs', async ({
  page,
  fund,
  expectedErrors,
}) => {
  // The browser logs the rejected upload.
  expectedErrors.push('415');
  await giveAndOpenCheckout(page, fund, newEmail('grace'));
  const submit = page.getByRole('button', { name: 'Submit' });
  await expect(submit).toBeDisabled();
  await fillProfile(page, { story: 'x'.repeat(25) });
  await choosePhoto(page, 'me.jpg', 'image/jpeg', await createPhonePhoto(800));
  await expect(submit).toBeDisabled();
  await page.getByRole('textbox', { name: 'Story' }).fill('x'.repeat(26));
  await expect(submit).toBeEnabled();
  await choosePhoto(page, 'large.jpg', 'image/jpeg', Buffer.alloc(25 * 1_048_576 + 1));
  await expect(page.getByText('Max file size 25MB').first()).toBeVisible();
  await expect(submit).toBeDisabled();
  await choosePhoto(page, 'note.jpg', 'image/jpeg', Buffer.from('This is no picture.'));
  await submit.click();
  await expect(
    page.getByText(
      'Please choose a JPEG, PNG, WebP, or AVIF photo. If yours is an iPhone HEIC photo, export it as a JPEG first.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Grace Giver');
  await choosePhoto(page, 'me.jpg', 'image/jpeg', await createPhonePhoto(800));
  // Simulates an outage of the photo bucket, then of the database.
  expectedErrors.push('503');
  for (const problem of [
    { status: 503, code: 'photo-not-stored', field: 'file', detail: 'We can’t save your photo right now.' },
    { status: 503, code: 'database-unavailable', detail: 'This site isn’t working right now.' },
  ]) {
    await page.route(
      /\/api\/orgs\/[^/]+\/checkouts\/[^/]+$/,
      (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      { times: 1 },
    );
    await submit.click();
    await expect(page.getByText(problem.detail)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Grace Giver');
  }
  await submit.click();
  await page.waitForURL(/\/offsetters\//);
});

test('a donor presses “Not now” and publishes nothing, then comes back and is shown by first name only', async ({
  page,
  fund,
}) => {
  const initialList = await (await page.request.get(`/api${fund}/offsetters`)).text();
  await giveAndOpenCheckout(page, fund, newEmail('grace'));
  const address = page.url();
  await expect(page.getByRole('link', { name: 'Log in.' })).toHaveAttribute(
    'href',
    `/login?return_to=${encodeURIComponent(new URL(address).pathname)}`,
  );
  await page.getByRole('link', { name: 'Not now' }).click();
  await expect(page.getByRole('tabpanel')).toBeVisible();
  expect(await (await page.request.get(`/api${fund}/offsetters`)).text()).toBe(initialList);

  // A reload keeps the text of the form.
  await page.goto(address);
  await fillProfile(page, { name: 'Florence Secretsurname' });
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Story' })).toHaveValue(STORY);
  const fields = page.getByRole('main').locator('input[name=name], input[type=radio]');
  await expect(fields).toHaveCount(3);
  await expect(fields.first()).toHaveAttribute('name', 'name');
  await expect(page.getByText('“Florence”')).toBeVisible();
  await page.getByText('Show my first name only').click();
  // There are no pounds to show because nothing was offset.
  await expect(page.getByRole('checkbox', { name: /how many pounds/ })).toHaveCount(0);
  await page.getByRole('checkbox', { name: /which homes/ }).check();
  await choosePhoto(page, 'me.jpg', 'image/jpeg', await createPhonePhoto(800));
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL(/\/offsetters\//);
  await expect(page.getByRole('heading', { name: 'Florence', exact: true })).toBeVisible();
  const story = new URL(page.url()).pathname;
  const id = story.split('/').filter(Boolean).at(-1);
  for (const path of [`/api${fund}/offsetters`, `/api${fund}/offsetters/${id}`]) {
    expect(await (await page.request.get(path)).text()).not.toContain('Secretsurname');
  }
  await page.goto(address);
  await expect(page.locator(`a[href="${story}"]`).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit' })).toBeHidden();
});
