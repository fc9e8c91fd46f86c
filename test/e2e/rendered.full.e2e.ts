import type { Page } from '@playwright/test';
import { expect, ORG, test } from './support/journey.ts';

/** Waits until React has hydrated the page. */
async function waitUntilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector('h1');
    return heading !== null && Object.keys(heading).some((key) => key.startsWith('__reactFiber'));
  });
}

test('without scripts, a page explains what needs them and how to give anyway', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  const page = await context.newPage();
  const { parentName, parentAddress } = await (await page.request.get('/api/site')).json();
  const notice = () => page.locator('noscript').evaluate(({ innerText }: HTMLElement) => innerText);
  await page.goto(ORG);
  expect(await notice()).toMatch(/^The calculator and the cart need JavaScript/);
  await page.locator('noscript a').click();
  await expect(page).toHaveURL(/\/donate$/);
  expect(await notice()).toMatch(/^Giving by card needs JavaScript/);
  expect(await notice()).toContain(parentName);
  expect(await notice()).toContain(parentAddress);
  await page.goto('/login');
  expect(await notice()).toMatch(/^Logging in needs JavaScript/);
  await context.close();
});

test('the share image and phone icon exist', async ({ page, request }) => {
  for (const path of ['', '/offsetters/maya-torres/', '/awardees/haddad-family/', '/installers/dale-kowalski/']) {
    await page.goto(ORG + path);
    const address = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
    const card = await request.get(address);
    expect([card.status(), card.headers()['content-type']], address).toEqual([200, 'image/png']);
    const bytes = await card.body();
    // The size of a PNG is at its beginning.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], address).toEqual([1200, 630]);
  }
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as { icons: { src: string }[] };
  for (const { src } of [...manifest.icons, { src: '/img/apple-touch-icon.png' }]) {
    expect((await request.get(src)).headers()['content-type'], src).toBe('image/png');
  }
});

test('both fonts have the CO₂ subscript and letters for names', async ({ page }) => {
  await page.goto(ORG);
  for (const family of ['Bricolage Grotesque', 'Figtree Variable']) {
    const missingLetters = await page.evaluate(async (family) => {
      const canvasContext = new OffscreenCanvas(1, 1).getContext('2d');
      const measureLetter = (letter: string, fallback: string) => {
        if (canvasContext) canvasContext.font = `100px "${family}", ${fallback}`;
        return canvasContext?.measureText(letter).width;
      };
      const letters = 'COÉé₂−ŁłĞğŠš'.split('');
      await document.fonts.load(`100px "${family}"`, letters.join(''));
      // The fallback font would render a missing letter, with another width.
      return letters.filter((letter) => measureLetter(letter, 'monospace') !== measureLetter(letter, 'serif'));
    }, family);
    expect(missingLetters, family).toEqual([]);
  }
});

test('a not-found page keeps its organization’s header and links', async ({ page, expectedErrors }) => {
  expectedErrors.push('404');
  await page.goto(`${ORG}/nothing/of/the/kind`);
  await waitUntilHydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Offsetters' }).click();
  await expect(page).toHaveURL(/\/orgs\/sample\/offsetters$/);
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
});
