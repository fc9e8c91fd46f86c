import { expect, ORG, test } from './support/journey.ts';

test('without scripts, a page explains which features need them and how to give anyway', async ({ browser, site }) => {
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

test('the share image and phone icon exist', async ({ request }) => {
  for (const path of ['', '/offsetters/maya-torres/', '/awardees/haddad-family/', '/installers/dale-kowalski/']) {
    const document = await (await request.get(ORG + path)).text();
    const [, address = ''] = /<meta property="og:image" content="([^"]+)"/.exec(document) ?? [];
    const card = await request.get(address);
    expect([card.status(), card.headers()['content-type']], address).toEqual([200, 'image/png']);
    const bytes = await card.body();
    // A PNG's dimensions are at the beginning of the file.
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
      // A missing letter is rendered in the fallback font, so its width differs between fallback fonts.
      return letters.filter((letter) => measureLetter(letter, 'monospace') !== measureLetter(letter, 'serif'));
    }, family);
    expect(missingLetters, family).toEqual([]);
  }
});
