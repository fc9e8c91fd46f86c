import type { Page } from '@playwright/test';
import { phonePhoto } from '#test/support/photos.ts';
import { paidCheckout } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';

const STORY = 'A reason in my own words, so that the next one finds theirs.';

async function fill(checkout: Page, { name = 'Grace Giver', story = STORY } = {}): Promise<void> {
  await checkout.getByRole('textbox', { name: 'Email' }).fill('grace@example.org');
  await checkout.getByRole('textbox', { name: 'Name' }).fill(name);
  await checkout.getByRole('textbox', { name: 'Story' }).fill(story);
}

async function choosePhoto(checkout: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await checkout.getByLabel(/Profile Photo/).setInputFiles({ name, mimeType, buffer });
}

test('a profile can be submitted once it is complete, and the form explains what photo it needs', async ({
  page,
  expectedErrors,
}) => {
  // The browser itself writes a refused upload to its console.
  expectedErrors.push('415');
  const checkout = await paidCheckout(page);
  const submit = checkout.getByRole('button', { name: 'Submit' });
  await expect(submit).toBeDisabled();
  await fill(checkout, { story: 'x'.repeat(25) });
  await choosePhoto(checkout, 'me.jpg', 'image/jpeg', await phonePhoto(800));
  await expect(submit).toBeDisabled();
  await checkout.getByRole('textbox', { name: 'Story' }).fill('x'.repeat(26));
  await expect(submit).toBeEnabled();
  await choosePhoto(checkout, 'large.jpg', 'image/jpeg', Buffer.alloc(25 * 1_048_576 + 1));
  await expect(checkout.getByText('Max file size 25MB').first()).toBeVisible();
  await expect(submit).toBeDisabled();
  await choosePhoto(checkout, 'note.jpg', 'image/jpeg', Buffer.from('This is no picture.'));
  await submit.click();
  await expect(checkout.getByText('Please choose a JPEG, PNG, WebP or AVIF photo.')).toBeVisible();
  await expect(checkout.getByRole('textbox', { name: 'Name' })).toHaveValue('Grace Giver');
  await choosePhoto(checkout, 'me.jpg', 'image/jpeg', await phonePhoto(800));
  // As while the bucket of photos is down, and then the database.
  expectedErrors.push('503');
  for (const problem of [
    { status: 503, code: 'photo-not-kept', field: 'file', detail: 'We can’t save your photo right now.' },
    { status: 503, code: 'out-of-order', detail: 'This site isn’t working right now.' },
  ]) {
    await checkout.route(
      /\/api\/orgs\/[^/]+\/checkouts\/[^/]+$/,
      (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      { times: 1 },
    );
    await submit.click();
    await expect(checkout.getByText(problem.detail)).toBeVisible();
    await expect(checkout.getByRole('textbox', { name: 'Name' })).toHaveValue('Grace Giver');
  }
  await submit.click();
  await checkout.waitForURL(/\/offsetters\//);
});

test('a donor shown by first name only is never shown with more', async ({ page }) => {
  const checkout = await paidCheckout(page);
  await fill(checkout, { name: 'Florence Secretsurname' });
  // The name is asked for first, so that each choice can show what it makes of it.
  const fields = checkout.getByRole('main').locator('input[name=name], input[type=radio]');
  await expect(fields).toHaveCount(4);
  await expect(fields.first()).toHaveAttribute('name', 'name');
  await expect(checkout.getByText('“Florence”')).toBeVisible();
  await checkout.getByText('Show my first name only').click();
  // Without an offset there are no pounds to show.
  await expect(checkout.getByRole('checkbox', { name: /how many pounds/ })).toHaveCount(0);
  await checkout.getByRole('checkbox', { name: /which homes/ }).check();
  await choosePhoto(checkout, 'me.jpg', 'image/jpeg', await phonePhoto(800));
  await checkout.getByRole('button', { name: 'Submit' }).click();
  await checkout.waitForURL(/\/offsetters\//);
  await expect(checkout.getByRole('heading', { name: 'Florence', exact: true })).toBeVisible();
  const id = new URL(checkout.url()).pathname.split('/').filter(Boolean).at(-1);
  for (const path of [`/api${ORG}/offsetters`, `/api${ORG}/offsetters/${id}`]) {
    expect(await (await page.request.get(path)).text()).not.toContain('Secretsurname');
  }
});

test('a donor who does not want to be shown gives only an email, is thanked, and is on no list', async ({ page }) => {
  const before = await (await page.request.get(`/api${ORG}/offsetters`)).text();
  const checkout = await paidCheckout(page);
  await checkout.getByRole('textbox', { name: 'Email' }).fill('quiet@example.org');
  const choice = checkout.getByRole('radio', { name: /Don’t show me/ });
  await choice.scrollIntoViewIfNeeded();
  await checkout.evaluate(() => document.fonts.ready.then(() => undefined));
  const place = await choice.boundingBox();
  await choice.check();
  expect(await choice.boundingBox()).toEqual(place);
  await expect(checkout.getByRole('textbox', { name: 'Story' })).toBeDisabled();
  await checkout.getByRole('button', { name: 'Submit' }).click();
  await expect(checkout.getByRole('button', { name: 'Submit' })).toBeHidden();
  await expect(checkout.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await (await page.request.get(`/api${ORG}/offsetters`)).text()).toBe(before);
});

test('a reload keeps what was typed, and a finished checkout leads to the story', async ({ page }) => {
  const checkout = await paidCheckout(page);
  await fill(checkout);
  const address = checkout.url();
  await checkout.reload();
  await expect(checkout.getByRole('textbox', { name: 'Story' })).toHaveValue(STORY);
  await choosePhoto(checkout, 'me.jpg', 'image/jpeg', await phonePhoto(800));
  await checkout.getByRole('button', { name: 'Submit' }).click();
  await checkout.waitForURL(/\/offsetters\//);
  const story = new URL(checkout.url()).pathname;
  await checkout.goto(address);
  await expect(checkout.locator(`a[href="${story}"]`).first()).toBeVisible();
  await expect(checkout.getByRole('button', { name: 'Submit' })).toBeHidden();
});
