import type { Page } from '@playwright/test';
import { splitLanguage } from '#contract/languages.ts';
import { pageAt } from '#contract/pages.ts';
import { findingsOn } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { giveAs } from './support/offsetters.ts';
import { adminEmail, awaitMail, newEmail, signInAs, signInAsEditor } from './support/signing-in.ts';
import { type Visitor, visitsBy } from './support/visits.ts';

/** A desk, a tablet, a telephone, and a desk's window zoomed to 400 %. */
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 256 },
] as const;
/** In between, what can be seen and used is the same. */
const LOOKED_AT_CLOSELY: readonly number[] = [1280, 390];

/** Goes where a page is, and waits until it is what its address says. */
async function reach(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expect.poll(() => pageAt(splitLanguage(new URL(page.url()).pathname).rest)?.name).toBe(name);
  // A preview of another page is inert, with its heading.
  await expect(page.locator('h1:not([inert] *)')).toHaveCount(1);
}

/** And until it has its data. */
async function arrive(page: Page, path: string, name: string): Promise<void> {
  await reach(page, path, name);
  await page.waitForLoadState('networkidle');
}

/** Everything that is wrong with the pages of one visitor, at every width. */
async function visitAll(page: Page, visitor: Visitor, known = ''): Promise<void> {
  for (const { name, path, leadsTo = name } of visitsBy(visitor)) {
    // A page that is opened small and made larger fetches its photos twice, and says so.
    await page.setViewportSize(WINDOWS[0]);
    await arrive(page, path(known), leadsTo);
    expect.soft(await page.title(), name).not.toBe('');
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      // Drawings that depend on the width are redrawn a moment after the window is resized.
      await expect
        .configure({ soft: true })
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${size.width}`)
        .toBeLessThanOrEqual(size.width);
      if (!LOOKED_AT_CLOSELY.includes(size.width)) continue;
      expect.soft(await findingsOn(page), `${name} at ${size.width}`).toEqual([]);
    }
  }
}

/** The same in Spanish, whose words are longer, at the width where that matters. */
async function visitInSpanish(page: Page, visitor: Visitor, known = ''): Promise<void> {
  const size = WINDOWS[2];
  await page.setViewportSize(size);
  for (const { name, path, leadsTo = name } of visitsBy(visitor)) {
    const address = path(known);
    await reach(page, address === '/' ? '/es' : `/es${address}`, leadsTo);
    expect.soft(await page.evaluate(() => document.documentElement.lang), name).toBe('es');
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(size.width);
    expect.soft(await findingsOn(page), `${name} in Spanish`).toEqual([]);
  }
}

test.describe('every page is used by everybody, in every window', () => {
  test.slow();

  test('what everyone sees', async ({ page }) => visitAll(page, 'anybody'));

  test('what everyone sees in Spanish', async ({ page }) => visitInSpanish(page, 'anybody'));

  test('what a donor sees after paying', async ({ page }) => {
    await giveAs(page, newEmail('visiting.payer'));
    const checkoutid = pageAt(new URL(page.url()).pathname)?.params.checkoutid;
    await visitAll(page, 'payer', checkoutid);
    await visitInSpanish(page, 'payer', checkoutid);
  });

  test('what a donor sees from the mail of a recurring gift', async ({ page }) => {
    const email = newEmail('visiting.giver');
    await giveAs(page, email, { recurring: 'month' });
    const { text } = await awaitMail(page, email, 'Manage or stop this gift');
    const giftkey = /\/gifts\/([\w-]+)/.exec(text)?.[1];
    await visitAll(page, 'recurring giver', giftkey);
    await visitInSpanish(page, 'recurring giver', giftkey);
  });

  test('what a logged-in user sees', async ({ page }) => {
    await signInAs(page, newEmail('visiting.person'));
    await visitAll(page, 'signed in');
    await visitInSpanish(page, 'signed in');
  });

  test('what an admin sees', async ({ page }) => {
    await signInAs(page, adminEmail());
    await visitAll(page, 'admin');
  });

  test('what an editor sees', async ({ page, browser }) => {
    await signInAsEditor(page, browser, 'visiting.editor');
    await visitAll(page, 'editor');
  });
});
