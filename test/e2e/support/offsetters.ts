import type { Page } from '@playwright/test';
import { phonePhoto } from '#test/support/photos.ts';
import { CARDS, payByCard } from './giving.ts';
import { expect, ORG, programIsThere } from './journey.ts';
import { post } from './signing-in.ts';

export const STORY = 'A reason in my own words, so that the next one finds theirs.';

/** Donates $25 with this address, signed out as far as the checkout knows, and ends on the checkout page. */
export async function giveAs(page: Page, email: string, recurrence: { recurring?: 'month' } = {}): Promise<void> {
  const answer = await post(page, `${ORG}/checkouts`, { cart: [{ type: 'donation', cost: 25, ...recurrence }] });
  const { url }: { url: string } = await answer.json();
  await page.goto(url);
  await payByCard(page, CARDS.pays, email);
  await page.waitForURL(/\/checkouts\//);
  await programIsThere(page);
}

/** Gives, tells the story of it, and ends on its page. @returns the address of that page */
export async function becomeOffsetter(page: Page, email: string, name: string): Promise<string> {
  await tellStory(page, email, name);
  await page.waitForURL(/\/offsetters\//);
  await expect(page.getByRole('heading', { name })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Gives and sends the story of it, whatever becomes of it. */
export async function tellStory(page: Page, email: string, name: string): Promise<void> {
  await giveAs(page, email);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
  await page
    .getByLabel(/Profile Photo/)
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(800) });
  await page.getByRole('button', { name: 'Submit' }).click();
}
