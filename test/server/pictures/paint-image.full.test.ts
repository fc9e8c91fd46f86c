import fs from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SHARE_IMAGE_PHOTO_SIZE, SHARE_IMAGE_SIZE } from '#contract/share-images.ts';
import { loadSafeSharp } from '#server/gateways/pictures/safe-sharp.ts';
import { createTextRenderer, fitText } from '#server/gateways/share-images/image-text.ts';
import { createShareImagePainter } from '#server/gateways/share-images/paint-image.ts';
import type { ShareImageFacts } from '#server/gateways/share-images/share-images.ts';
import { createPlainPhoto } from '#test/support/photos.ts';

const folder = 'src/server/gateways/share-images/assets';
// Matches production, where SVG decoding is disabled.
await loadSafeSharp();

const paint = createShareImagePainter(folder);
const renderText = createTextRenderer(folder);
const photo = await createPlainPhoto(1280, 900).webp().toBuffer();

const ORG: ShareImageFacts = {
  orgId: 'o',
  orgName: 'Ithaca Climate Fund',
  title: 'Warm homes are climate action',
  storyText: '',
  photo: null,
};
const STORY: ShareImageFacts = {
  ...ORG,
  story: { kind: 'offsetters', id: 's' },
  title: 'Maya Torres',
  storyText: 'I fly to see my parents twice a year, and want that to warm a home.',
};

async function readPixels(image: Buffer) {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

/** Mean difference per color channel between two images within a box, from 0 to 255. */
async function meanDifference(
  first: Buffer,
  second: Buffer,
  box: { left: number; top: number; width: number; height: number },
) {
  const crops = await Promise.all(
    [first, second].map((image) => sharp(image).removeAlpha().extract(box).raw().toBuffer()),
  );
  const [a = Buffer.alloc(0), b = Buffer.alloc(0)] = crops;
  let sum = 0;
  for (const [index, value] of a.entries()) sum += Math.abs(value - (b[index] ?? 0));
  return sum / a.length;
}

const WHOLE_IMAGE = { left: 0, top: 0, ...SHARE_IMAGE_SIZE };
const TEXT_AREA = { left: 64, top: 150, width: 560, height: 416 };
const BELOW_TEXT = { left: 0, top: 568, width: 620, height: 62 };
const GAP = { left: 640, top: 70, width: 50, height: 490 };

test.each([
  ['an organization', ORG, undefined],
  ['an organization with a photo', ORG, photo],
  ['a story', STORY, undefined],
  ['a story with a photo', STORY, photo],
])('the image of %s is a PNG with the right dimensions and a reasonable file size', async (_what, facts, bytes) => {
  const image = await paint(facts, bytes);
  const { format, width, height } = await sharp(image).metadata();
  expect([format, width, height]).toEqual(['png', SHARE_IMAGE_SIZE.width, SHARE_IMAGE_SIZE.height]);
  expect(image.length).toBeLessThan(300_000);
});

test('the same facts render identical images, and different facts render different images', async () => {
  const image = await paint(STORY, undefined);
  expect((await paint(STORY, undefined)).equals(image)).toBe(true);
  for (const change of [
    { title: 'Sam' },
    { storyText: 'Another story of another kind, by another author.' },
    { orgName: 'Elsewhere' },
  ]) {
    expect(await meanDifference(await paint({ ...STORY, ...change }, undefined), image, WHOLE_IMAGE)).toBeGreaterThan(
      0.3,
    );
  }
});

test('a photo has rounded corners next to its story, and text never overlaps it', async () => {
  const photoOnly = await paint({ ...STORY, title: '', storyText: '' }, photo);
  const longText = await paint(
    { ...STORY, title: 'Maximiliana '.repeat(8), storyText: 'A word and another one. '.repeat(90) },
    photo,
  );
  const { data, width, channels } = await readPixels(longText);
  const pixelAt = (x: number, y: number) => [
    ...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3),
  ];
  const [left, top] = [SHARE_IMAGE_SIZE.width - 64 - SHARE_IMAGE_PHOTO_SIZE.width, 64];
  const { data: photoPixel } = await sharp(photo)
    .removeAlpha()
    .extract({ left: 9, top: 9, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const middle = pixelAt(left + SHARE_IMAGE_PHOTO_SIZE.width / 2, top + SHARE_IMAGE_PHOTO_SIZE.height / 2);
  for (const [index, value] of middle.entries()) expect(Math.abs(value - (photoPixel[index] ?? 0))).toBeLessThan(12);
  expect(pixelAt(left + 1, top + 1)).not.toEqual(middle);
  expect(await meanDifference(longText, photoOnly, TEXT_AREA)).toBeGreaterThan(5);
  expect(await meanDifference(longText, photoOnly, GAP)).toBeLessThan(2);
  expect(await meanDifference(longText, photoOnly, BELOW_TEXT)).toBeLessThan(2);
});

test('a name the fonts can’t render is replaced by a fallback, and emoji are dropped', async () => {
  const emojiImage = await paint({ ...STORY, title: 'Maya Torres 🌱' }, undefined);
  expect(emojiImage.equals(await paint(STORY, undefined))).toBe(true);
  const unprintableImage = await paint({ ...STORY, title: 'Мария', storyText: '' }, undefined);
  const fallback = await paint({ ...STORY, title: 'An offsetter’s story', storyText: '' }, undefined);
  expect(unprintableImage.equals(fallback)).toBe(true);
});

test('text that looks like markup is printed as text', async () => {
  const markupImage = await paint({ ...STORY, title: '<b>&amp; "so" <i' }, undefined);
  expect(
    await meanDifference(markupImage, await paint({ ...STORY, title: 'b' }, undefined), TEXT_AREA),
  ).toBeGreaterThan(0.5);
});

/** Widths in pixels with the two bundled fonts. Other fonts would be wider or narrower. */
test.each([
  ['title', 'Warm homes are', 826],
  ['title', 'ŁŁŁęęę', 337],
  ['text', 'Warm homes are', 755],
  ['text', 'ŁŁŁęęę', 320],
  ['text', 'CO₂', 179],
] as const)('the %s uses its bundled font: %s', async (face, text, width) => {
  const block = await renderText(text, { face, size: 100, color: '#fff', width: 2000 });
  expect(block.width).toBeGreaterThan(width * 0.985);
  expect(block.width).toBeLessThan(width * 1.015);
});

test('the library doesn’t use the machine’s fonts', async () => {
  const settings = await fs.readFile(path.join(folder, 'fonts.conf'), 'utf8');
  expect(settings).toMatch(/<fontconfig><\/fontconfig>\n$/);
});

test('text uses the largest size that fits and is truncated only at the smallest', async () => {
  const style = { face: 'title', color: '#fff', width: 600 } as const;
  const fit = { sizes: [80, 60, 40], height: 100 };
  const shortText = await fitText(renderText, 'Warm', style, fit);
  const longerText = await fitText(renderText, 'Warm homes for all', style, fit);
  const longestText = await fitText(renderText, 'Warm homes for all of us '.repeat(20), style, fit);
  const textImage = await renderText('Warm', { ...style, size: 80 });
  expect(shortText?.height).toBe(textImage.height);
  expect(longerText?.height).toBeLessThan(textImage.height);
  expect(longestText?.height).toBeLessThanOrEqual(100);
  expect(longestText?.width).toBeLessThanOrEqual(600);
  expect(await fitText(renderText, '', style, fit)).toBeUndefined();
});
