import type { Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { giveByCard } from './support/giving.ts';
import { expect, ORG, test, waitUntilInteractive } from './support/journey.ts';
import { newEmail } from './support/sign-in.ts';

/** Blocks the page's scripts. @returns a function that unblocks them */
async function blockScripts(page: Page): Promise<() => void> {
  const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await unblocked;
    await route.continue();
  });
  return unblock;
}

test('the home page keeps text typed before its scripts loaded', async ({ page, expectedErrors }) => {
  expectedErrors.push('form-action');
  const unblock = await blockScripts(page);
  await page.goto(ORG, { waitUntil: 'commit' });
  await page.getByLabel('Trip mileage').fill('1200');
  await page.getByText('Round trip').click();
  // The form policy keeps the Enter key from reloading the page.
  await page.getByLabel('Trip mileage').press('Enter');
  unblock();
  await waitUntilInteractive(page);
  await expect(page.getByLabel('Trip mileage')).toHaveValue('1200');
  await expect(page.getByLabel('Round trip')).toBeChecked();
  // A round trip of 1,200 miles for one traveler.
  await expect(page.getByText('1,344 lbs of carbon')).toBeVisible();
});

test('a donation amount chosen before the scripts loaded is the amount to pay', async ({ page, context }) => {
  const unblock = await blockScripts(page);
  await page.goto(`${ORG}/donate`, { waitUntil: 'commit' });
  await page.getByText('$25', { exact: true }).click();
  unblock();
  await waitUntilInteractive(page);
  const paymentPage = context.waitForEvent('page');
  await page.getByRole('main').getByRole('button', { name: 'Donate $25', exact: true }).click();
  const payment = await paymentPage;
  await payment.waitForURL(/\/sandbox\/pay\//);
  await expect(payment.getByText('$25.00').first()).toBeVisible();
});

test('clicks during hydration are handled once and in order', async ({ page, context }) => {
  // Clicks as soon as React listens to the page, before it is hydrated.
  await page.addInitScript(() => {
    const root = EventTarget.prototype;
    const addListener = Reflect.get(root, 'addEventListener');
    const clickByText = (name: string) =>
      [...document.querySelectorAll<HTMLElement>('main button, main label')]
        .find(({ textContent }) => textContent.startsWith(name))
        ?.click();
    root.addEventListener = function (this: EventTarget, ...args: Parameters<typeof addListener>) {
      if (this instanceof Element && this.id === 'root' && args[0] === 'click') {
        root.addEventListener = addListener;
        queueMicrotask(() => ['$25', 'Donate'].forEach(clickByText));
      }
      addListener.apply(this, args);
    };
  });
  const paymentPage = context.waitForEvent('page');
  await page.goto(`${ORG}/donate`);
  const payment = await paymentPage;
  await payment.waitForURL(/\/sandbox\/pay\//);
  await expect(payment.getByText('$25.00').first()).toBeVisible();
  expect(context.pages()).toHaveLength(2);
});

test('a profile filled in before the scripts loaded can be submitted', async ({ page, fund }) => {
  const address = await giveByCard(page, fund, 25, newEmail('early'));
  const unblock = await blockScripts(page);
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Email' }).fill('early@example.org');
  await page.getByRole('textbox', { name: 'Name' }).fill('Erla Early');
  await page.getByRole('radio', { name: /first name only/ }).check();
  await page.getByRole('textbox', { name: 'Story' }).fill('I typed this story before the scripts had loaded.');
  const photo = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await createPhonePhoto(800) };
  await page.getByLabel(/Profile Photo/).setInputFiles(photo);
  unblock();
  await waitUntilInteractive(page);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL(/\/offsetters\//);
  await expect(page.getByRole('heading', { name: 'Erla', exact: true })).toBeVisible();
});
