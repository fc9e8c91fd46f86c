// @spec 2.hero
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Text over the photo with its minimum contrast. The design requires 7 for the heading and 4.5 for other text. */
const TEXT_ELEMENTS = [
  { selector: 'main h1', minContrast: 7 },
  { selector: 'main p:has(+ div h1)', minContrast: 4.5 },
  { selector: 'main div:has(> h1) + p', minContrast: 4.5 },
  { selector: 'main div:has(> h1) ~ ul li:last-child', minContrast: 4.5 },
  { selector: 'main div:has(> h1) ~ div a:last-child', minContrast: 4.5 },
] as const;

/** An element's lines of text and their color. */
function readLines(page: Page, selector: string): Promise<{ lines: Box[]; color: number[] }> {
  return page.locator(selector).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = Array.from(range.getClientRects(), ({ x, y, width, height }) => ({ x, y, width, height }));
    return { lines, color: (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number) };
  });
}

/** Relative luminance of an sRGB color, as defined by WCAG. */
function computeLuminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const normalized = channel / 255;
    return normalized <= 0.04045 ? normalized / 12.92 : ((normalized + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The luminance of the brightest pixel behind the lines of text. */
async function findBrightestLuminance(picture: Buffer, lines: readonly Box[]): Promise<number> {
  let maximum = 0;
  for (const { x, y, width, height } of lines) {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const part = sharp(picture).extract({ left, top, width: Math.floor(width), height: Math.floor(height) });
    const { data, info } = await part.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    for (let i = 0; i < data.length; i += info.channels)
      maximum = Math.max(maximum, computeLuminance([...data.subarray(i, i + 3)]));
  }
  return maximum;
}

for (const hasPhoto of [false, true]) {
  test(`the text on the home page's ${hasPhoto ? 'white photo' : 'drawing'} is readable at every width`, async ({
    page,
  }) => {
    const address = hasPhoto ? await openFundWithWhitePhoto(page) : ORG;
    await page.goto(address);
    const image = page.locator('main img').first();
    await expect(image).toHaveAttribute('src', hasPhoto ? /^\/media\// : '/img/hero.svg');
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 1000 });
      // A larger window may load a larger photo.
      await image.evaluate((picture: HTMLImageElement) => picture.decode());
      await page.evaluate(() => document.fonts.ready);
      const textLines = await Promise.all(TEXT_ELEMENTS.map(({ selector }) => readLines(page, selector)));
      const picture = await captureWithoutText(page);
      for (const [index, { lines, color }] of textLines.entries()) {
        const contrast = (computeLuminance(color) + 0.05) / ((await findBrightestLuminance(picture, lines)) + 0.05);
        const { selector, minContrast } = TEXT_ELEMENTS[index] ?? TEXT_ELEMENTS[0];
        expect(contrast, `${selector} at ${width}`).toBeGreaterThanOrEqual(minContrast);
      }
    }
  });
}

/** A screenshot without the text over the photo. */
async function captureWithoutText(page: Page): Promise<Buffer> {
  const setTextColor = (value: string) =>
    page.locator('main h1').evaluate((heading, newColor) => {
      const textElements = heading.closest('[data-dark]')?.querySelectorAll<HTMLElement>('h1, p, li, a') ?? [];
      for (const element of textElements) element.style.color = newColor;
    }, value);
  // The page's content security policy would block a style sheet added by the test.
  await setTextColor('transparent');
  const picture = await page.screenshot();
  await setTextColor('');
  return picture;
}

/** Creates a fund with a plain white photo. @returns its path */
async function openFundWithWhitePhoto(page: Page): Promise<string> {
  const orgId = await openNewFund(page, { place: 'Ithaca, New York' });
  await page.goto(`/orgs/${orgId}/editor/org`);
  const buffer = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  await page
    .getByRole('main')
    .locator('input[type=file]')
    .setInputFiles({ name: 'white.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove the photo' })).toBeVisible();
  // Logs out, because editors see edit buttons on the photo.
  await page.context().clearCookies();
  return `/orgs/${orgId}`;
}
