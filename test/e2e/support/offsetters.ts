import type { Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { giveByCard } from './giving.ts';
import { expect } from './journey.ts';

export const STORY = 'I gave because my neighbors inspired me. I hope this inspires someone else.';

/** Donates $25 without logging in and ends on the checkout page. */
export async function giveAndOpenCheckout(page: Page, fund: string, email: string): Promise<void> {
  await page.goto(await giveByCard(page, fund, 25, email));
  await expect(page.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
}

/** Makes a gift, tells its story, and opens the story's page. @returns the address of that page */
export async function becomeOffsetter(page: Page, fund: string, email: string, name: string): Promise<string> {
  await tellStory(page, fund, email, name);
  await page.waitForURL(/\/offsetters\//);
  await expect(page.getByRole('heading', { name })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Makes a gift and submits a story, which may be rejected. */
export async function tellStory(page: Page, fund: string, email: string, name: string): Promise<void> {
  await giveAndOpenCheckout(page, fund, email);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
  await page
    .getByLabel(/Profile Photo/)
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await createPhonePhoto(800) });
  await page.getByRole('button', { name: 'Submit' }).click();
}
