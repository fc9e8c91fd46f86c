// @spec 4.cart 4.checkout 7.submit-profile
import type { Page, Route } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { expect, ORG, test } from './support/journey.ts';
import { giveAndOpenCheckout, STORY } from './support/offsetters.ts';
import { newEmail } from './support/sign-in.ts';

/** Holds requests with this method until they are released. */
async function delayRequests(page: Page, path: string, method: string) {
  const routes: Route[] = [];
  let requestCount = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    requestCount += 1;
    routes.push(route);
  });
  return {
    /** Number of requests received, released or not. */
    count: () => requestCount,
    release: async () => {
      for (const route of routes.splice(0)) await route.continue();
    },
    /** Responds to the held requests without sending them to the server. */
    respondWith: async (json: null) => {
      for (const route of routes.splice(0)) await route.fulfill({ json });
    },
  };
}

/** Donates and fills in the story form. */
async function fillProfile(page: Page, fund: string): Promise<void> {
  await giveAndOpenCheckout(page, fund, newEmail('una'));
  await page.getByRole('textbox', { name: 'Email' }).fill('una@example.org');
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
  const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await createPhonePhoto(800) };
  await page.getByLabel(/Profile Photo/).setInputFiles(photo);
}

test('a checkout in progress disables its button, and a second click doesn’t start another', async ({ page }) => {
  const checkoutRequests = await delayRequests(page, `**/api${ORG}/checkouts`, 'POST');
  await page.goto(ORG);
  await page.getByRole('tab', { name: 'Quick' }).click();
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  const button = page.getByRole('tabpanel').getByRole('button', { name: 'Checkout', exact: true });
  const popup = page.context().waitForEvent('page');
  await button.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });
  await expect(page.getByRole('button', { name: 'Opening the payment page…' })).toBeDisabled();
  await expect(page.getByRole('tabpanel')).toContainText('Car travel');
  await expect.poll(checkoutRequests.count).toBe(1);
  await checkoutRequests.release();
  await (await popup).waitForURL(/\/sandbox\/pay\//);
  await expect(page.getByRole('tab', { name: 'Air', selected: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Cart' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('No items in cart');
  expect(checkoutRequests.count()).toBe(1);
});

test('a profile is submitted once, and an empty response shows an alert and closes the form', async ({
  page,
  fund,
}) => {
  await fillProfile(page, fund);
  const profileRequests = await delayRequests(page, `**/api${fund}/checkouts/*`, 'PUT');
  const submit = page.getByRole('button', { name: 'Submit' });
  // Once the button is enabled, the page has applied changes made before hydration.
  await expect(submit).toBeEnabled();
  await submit.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });
  await expect(page.getByRole('button', { name: 'Submitting…' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeDisabled();
  await expect.poll(profileRequests.count).toBe(1);
  await profileRequests.respondWith(null);
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText(/There was a problem\. Please contact \S+@\S+ if your profile did not upload\./);
  await alert.getByRole('button', { name: 'OK' }).click();
  await expect(alert).toBeHidden();
  await expect(page.getByRole('button', { name: /^Submit/ })).toBeHidden();
  expect(profileRequests.count()).toBe(1);
});
