// @spec 2.qr-screen 9.qr decisions.8
import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { decodeQrcode } from '#test/support/qr-decoder.ts';
import { readPictureModules, readSvgModules } from '#test/support/qr-picture.ts';
import { giveByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';

/** --ink in src/web/styles/tokens.css. */
const INK = 'rgb(14, 41, 48)';

/** Number of sheets in a PDF. */
const countSheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type ?\/Page\b/g)?.length;

test('the QR code contains the home page’s address and prints on one sheet with name, tag, address, and houses', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.goto(`${ORG}/qrcode`);
  const address = new URL(ORG, site.url);
  await expect(page.getByText('Scan the QR code to visit City Climate Fund')).toBeVisible();
  const code = page.getByRole('img', { name: 'QR code for City Climate Fund’s home page' });
  expect(await code.boundingBox()).toMatchObject({ width: 200, height: 200 });
  expect(decodeQrcode(await readPictureModules(await code.screenshot({ scale: 'css' })))).toBe(address.href);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download SVG' }).press('Enter'),
  ]);
  await expectCode(download, address);
  await page.getByRole('button', { name: 'Print poster' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');

  for (const format of ['A4', 'Letter']) expect(countSheets(await page.pdf({ format })), format).toBe(1);
  await page.emulateMedia({ media: 'print' });
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

/** Expects a downloaded SVG file with a code for the address. */
async function expectCode(download: Download, address: URL): Promise<void> {
  expect(download.suggestedFilename()).toBe('sample-qr-code.svg');
  const svg = await readFile(await download.path(), 'utf8');
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(decodeQrcode(readSvgModules(svg))).toBe(address.href);
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

test('without scripts, the keyboard can download the code as SVG', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  const page = await context.newPage();
  await page.goto(`${ORG}/qrcode`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download SVG' }).press('Enter'),
  ]);
  await expectCode(download, new URL(ORG, site.url));
  // Buttons that need scripts are absent.
  await expect(page.getByRole('button', { name: 'Print poster' })).toBeHidden();
  await context.close();
});

test('printed pages have dark text on a white background and no forms or buttons', async ({ page, fund }) => {
  const checkout = await giveByCard(page, fund, 25, 'printing.payer@example.org');
  const main = page.getByRole('main');
  // Pages with dark sections, forms, and buttons.
  for (const address of [ORG, `${ORG}/donate`, checkout]) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(address);
    await expect(main.locator('form').first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(main.getByRole('heading', { level: 1 })).toHaveCSS('color', INK);
    await expect(main.locator('form:visible, button:visible, [role=tab]:visible')).toHaveCount(0);
    const darkSections = await main.locator('[data-dark]').all();
    for (const section of darkSections) {
      await expect(section).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(section).toHaveCSS('color', INK);
    }
  }
});

test('the printed FAQ has every answer and written-out links, without screen controls', async ({ browser, site }) => {
  // Adds two links that an editor could have written to the server's page.
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
