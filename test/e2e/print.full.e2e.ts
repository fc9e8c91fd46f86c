// @spec decisions.8
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { decodeQrcode } from '#test/support/qr-decoder.ts';
import { readPictureModules, readSvgModules } from '#test/support/qr-picture.ts';
import { giveByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';

/** --ink in src/web/styles/tokens.css. */
const INK = 'rgb(14, 41, 48)';

/** Number of sheets in a PDF. */
const countSheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type ?\/Page\b/g)?.length;

for (const format of ['A4', 'Letter'] as const) {
  test(`the poster fits one sheet of ${format} with name, tag, a large readable code, its address, and the houses`, async ({
    page,
    site,
  }) => {
    await page.goto(`${ORG}/qrcode`);
    const code = page.getByRole('img', { name: /^QR code/ });
    expect(countSheets(await page.pdf({ format }))).toBe(1);

    await page.emulateMedia({ media: 'print' });
    const address = new URL(ORG, site.url);
    await expect(page.getByRole('heading', { level: 1, name: 'City Climate Fund' })).toBeVisible();
    await expect(page.getByText('Warm homes are climate action')).toBeVisible();
    await expect(page.getByRole('link', { name: `${address.host}${ORG}` })).toBeVisible();
    await expect(page.locator('main svg').first()).toBeVisible();
    for (const role of ['banner', 'contentinfo', 'complementary'] as const) {
      await expect(page.getByRole(role)).toBeHidden();
    }
    await expect(page.getByRole('button', { name: 'Print poster' })).toBeHidden();
    // 130 mm at 96 pixels an inch.
    expect((await code.boundingBox())?.width).toBeGreaterThan(480);
    expect(decodeQrcode(await readPictureModules(await code.screenshot()))).toBe(address.href);
  });
}

test('a very long one-word tag stays within the poster', async ({ page }) => {
  const orgId = await openNewFund(page, {
    tag: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  });
  for (const width of [390, 794]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ media: width === 794 ? 'print' : 'screen' });
    await page.goto(`/orgs/${orgId}/qrcode`);
    const box = await page.getByText('Donaudampf').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  }
});

test('"Print poster" asks the browser to print', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.goto(`${ORG}/qrcode`);
  await page.getByRole('button', { name: 'Print poster' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
});

for (const javaScriptEnabled of [true, false]) {
  test(`the keyboard can download the code as SVG, scripts ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: site.url });
    const page = await context.newPage();
    await page.goto(`${ORG}/qrcode`);
    await page.getByRole('link', { name: 'Download SVG' }).focus();
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('sample-qr-code.svg');
    const svg = await readFile(await download.path(), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(decodeQrcode(readSvgModules(svg))).toBe(new URL(ORG, site.url).href);
    // Buttons that need scripts are absent.
    await expect(page.getByRole('button', { name: 'Print poster' })).toBeVisible({ visible: javaScriptEnabled });
    await context.close();
  });
}

/** Pages with dark sections, forms, and buttons. */
const SCREEN_PAGES: Readonly<Record<string, (page: Page, fund: string) => Promise<string>>> = {
  home: async () => ORG,
  donate: async () => `${ORG}/donate`,
  'thank-you': (page, fund) => giveByCard(page, fund, 25, 'printing.payer@example.org'),
};

for (const [name, openScreenPage] of Object.entries(SCREEN_PAGES)) {
  test(`the printed ${name} page is ink on white, without forms and buttons`, async ({ page, fund }) => {
    await page.goto(await openScreenPage(page, fund));
    const main = page.getByRole('main');
    await expect(main.locator('form').first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(main.getByRole('heading', { level: 1 })).toHaveCSS('color', INK);
    await expect(main.locator('form:visible, button:visible, [role=tab]:visible')).toHaveCount(0);
    const darkSections = await main.locator('[data-dark]').all();
    for (const section of darkSections) {
      await expect(section).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(section).toHaveCSS('color', INK);
    }
  });
}

test('the printed FAQ has every answer and written-out links, without screen controls', async ({ browser, site }) => {
  // Uses the server's page plus two links that an editor could have written.
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  const page = await context.newPage();
  await page.route(`**${ORG}/faqs`, async (route) => {
    const response = await route.fetch();
    const links = '<p><a href="https://city.example/plan">The plan</a> <a href="mailto:us@city.example">Us</a></p>';
    const body = (await response.text()).replace('<h3 id="howdoipay">', `${links}<h3 id="howdoipay">`);
    await route.fulfill({ response, body });
  });
  await page.goto(`${ORG}/faqs`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  const questions = page.getByRole('heading', { level: 3 });
  expect(await questions.count()).toBeGreaterThanOrEqual(12);
  for (const question of await questions.all()) await expect(question).toBeVisible();
  for (const answer of await page.locator('details > p').all()) await expect(answer).toBeVisible();
  await expect(page.getByText(`${site.url}${ORG}/faqs`)).toBeVisible();
  const textAfterLink = (name: string) =>
    page.getByRole('link', { name }).evaluate((link) => getComputedStyle(link, '::after').content);
  expect(await textAfterLink('The plan')).toContain('https://city.example/plan');
  expect(await textAfterLink('Us')).toBe('none');
  await context.close();
});
