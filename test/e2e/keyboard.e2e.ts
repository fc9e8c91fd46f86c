// @spec 2.air 2.city-picker
// Slow because each control is reached key by key.
import type { Locator, Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { CARDS } from './support/giving.ts';
import { expect, test } from './support/journey.ts';

/** Presses Tab until the element has focus. */
async function tabTo(page: Page, target: Locator, maxPresses = 60): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} can't be reached with Tab`);
}

async function chooseCityByKeyboard(page: Page, field: 'From' | 'To', query: string): Promise<void> {
  const opener = page.getByRole('button', { name: new RegExp(`^${field}`) });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Select city' });
  await expect(picker.getByLabel('City')).toBeFocused();
  await expect(picker.getByRole('link', { name: 'Searched via GeoNames (CC BY 4.0)' })).toBeVisible();
  await page.keyboard.type(query);
  await expect(picker.getByText(new RegExp(`^${query}, `, 'i')).first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expect(opener).toBeFocused();
}

test('the whole journey works with the keyboard alone', async ({ page, fund }) => {
  await page.goto(fund);
  await chooseCityByKeyboard(page, 'From', 'Ithaca');
  await chooseCityByKeyboard(page, 'To', 'Lisbon');
  await tabTo(page, page.getByRole('button', { name: 'Calculate Offset' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: /Cart/, selected: true })).toBeVisible();
  await tabTo(page, page.getByRole('tabpanel').getByRole('button', { name: 'Checkout' }));
  const [payment] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await payment.waitForURL(/\/sandbox\/pay\//);

  await tabTo(payment, payment.getByLabel('Card number'), 80);
  await payment.keyboard.type(CARDS.succeeds);
  await payment.keyboard.press('Tab');
  await payment.keyboard.type('1240');
  await payment.keyboard.press('Tab');
  await payment.keyboard.type('123');
  await payment.keyboard.press('Tab');
  await payment.keyboard.type('Kay Board');
  await payment.keyboard.press('Shift+Tab');
  const email = payment.getByLabel('Email').first();
  for (let presses = 0; presses < 10; presses += 1) {
    if (await email.evaluate((element) => element === document.activeElement)) break;
    await payment.keyboard.press('Shift+Tab');
  }
  await payment.keyboard.type('kay@example.org');
  await payment.keyboard.press('Enter');
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();

  await tabTo(payment, payment.getByRole('textbox', { name: 'Email' }));
  await payment.keyboard.press('ControlOrMeta+A');
  await payment.keyboard.type('kay@example.org');
  await tabTo(payment, payment.getByRole('textbox', { name: 'Name' }));
  await payment.keyboard.type('Kay Board');
  await tabTo(payment, payment.getByRole('textbox', { name: 'Story' }));
  await payment.keyboard.type('I never touched the mouse on the way to this page.');
  // Listens before the keys are pressed, because Playwright misses a file chooser that opens earlier.
  const chooser = payment.waitForEvent('filechooser');
  await tabTo(payment, payment.getByLabel(/Profile Photo/));
  await payment.keyboard.press('Space');
  await (await chooser).setFiles({ name: 'kay.jpg', mimeType: 'image/jpeg', buffer: await createPhonePhoto(800) });
  await tabTo(payment, payment.getByRole('button', { name: 'Submit' }));
  await payment.keyboard.press('Enter');
  await payment.waitForURL(/\/offsetters\//);
  await expect(payment.getByRole('heading', { name: 'Kay Board' })).toBeVisible();
});
