// @spec decisions.5
import fs from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  createFourColorPhoto,
  createNoisyPhoto,
  createPhonePhoto,
  createPlainPhoto,
  findCornerColor,
  listWebpChunks,
  METADATA_MARKERS,
  UPRIGHT_CORNERS,
} from '#test/support/photos.ts';
import { pixelAt, storeValidPhoto } from './stored-pictures.ts';

test('an upright 12-megapixel phone photo is stored upright in three widths', async () => {
  const { photo, files } = await storeValidPhoto(await createPhonePhoto());
  expect(photo).toEqual({
    key: expect.stringMatching(/^[\w-]{22}$/),
    width: 1280,
    height: 1707,
    widths: [320, 640, 1280],
  });
  const sizes = await Promise.all([...files.values()].map((file) => sharp(file).metadata()));
  expect(sizes.map(({ format, width, height }) => [format, width, height])).toEqual([
    ['webp', 320, 427],
    ['webp', 640, 853],
    ['webp', 1280, 1707],
  ]);
  // Before rotation, the sky is on the left and the ground on the right. Upright, the sky is at the top.
  const [skyRed = 0, , skyBlue = 0] = await pixelAt(files.get(640), 320, 50);
  const [, groundGreen = 0, groundBlue = 0] = await pixelAt(files.get(640), 320, 800);
  expect(skyBlue).toBeGreaterThan(skyRed);
  expect(groundGreen).toBeGreaterThan(groundBlue);
});

test('no photo metadata is stored: no location, name, or profile', async () => {
  const original = await createPhonePhoto(800);
  for (const mark of METADATA_MARKERS.filter((name) => name !== 'Display P3')) {
    expect(original.includes(mark), `${mark} is in the upload`).toBe(true);
  }
  const { files } = await storeValidPhoto(original);
  for (const file of files.values()) {
    expect(listWebpChunks(file)).toEqual(['VP8']);
    for (const mark of METADATA_MARKERS) expect(file.includes(mark), mark).toBe(false);
  }
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a JPEG with orientation %i is rotated upright', async (orientation) => {
  const { photo, files } = await storeValidPhoto(
    await createFourColorPhoto(orientation).jpeg({ quality: 95 }).toBuffer(),
  );
  expect([photo.width, photo.height]).toEqual([320, 240]);
  expect(await readCornerColors(files.get(320), 320, 240)).toEqual(UPRIGHT_CORNERS);
});

test.each(['png', 'webp', 'avif'] as const)('a %s marked as sideways is rotated upright', async (format) => {
  const { photo, files } = await storeValidPhoto(await createFourColorPhoto(6).toFormat(format).toBuffer());
  expect([photo.width, photo.height]).toEqual([320, 240]);
  expect(await readCornerColors(files.get(320), 320, 240)).toEqual(UPRIGHT_CORNERS);
});

test('transparency is preserved', async () => {
  const { files } = await storeValidPhoto(await createPlainPhoto(400, 400, '#ff000000').png().toBuffer());
  expect((await pixelAt(files.get(320), 10, 10))[3]).toBe(0);
});

test('a 16-bit gray PNG becomes an ordinary picture of the same gray', async () => {
  const gray = new Uint16Array(400 * 300).fill(0x8000);
  const raw = { width: 400, height: 300, channels: 1 } as const;
  const png = await sharp(gray, { raw }).toColourspace('grey16').png().toBuffer();
  expect((await sharp(png).metadata()).depth).toBe('ushort');
  const { files } = await storeValidPhoto(png);
  expect((await sharp(files.get(320)).metadata()).depth).toBe('uchar');
  for (const channel of (await pixelAt(files.get(320), 10, 10)).slice(0, 3))
    expect(Math.abs(channel - 128)).toBeLessThan(4);
});

test('a CMYK JPEG becomes an sRGB picture of about the same colors', async () => {
  const cmyk = await createPlainPhoto(400, 300, '#c83232').toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
  expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
  const { files } = await storeValidPhoto(cmyk);
  expect((await sharp(files.get(320)).metadata()).space).toBe('srgb');
  const [red = 0, green = 0, blue = 0] = await pixelAt(files.get(320), 10, 10);
  expect(red).toBeGreaterThan(150);
  expect(Math.max(green, blue)).toBeLessThan(110);
});

test('wide-gamut colors are converted, not just relabeled', async () => {
  const wideGamutPhoto = await createPlainPhoto(400, 300, '#ff0000')
    .withIccProfile('p3')
    .jpeg({ quality: 95 })
    .toBuffer();
  const { files } = await storeValidPhoto(wideGamutPhoto);
  const [red = 0, green = 0, blue = 0] = await pixelAt(files.get(320), 10, 10);
  expect(red).toBeGreaterThan(245);
  // Green and blue would be 51 and 35 without the color conversion.
  expect(Math.max(green, blue)).toBeLessThan(12);
});

test('a small flaw that viewers tolerate is accepted', async () => {
  const flawedPhoto = await createFourColorPhoto(1).jpeg().toBuffer();
  flawedPhoto.set([0xff, 0xff, 0xff, 0xff], Math.floor(flawedPhoto.length * 0.9));
  const strictDecoding = sharp(flawedPhoto, { failOn: 'warning' }).stats();
  await expect(strictDecoding).rejects.toThrow('Corrupt JPEG data');
  expect((await storeValidPhoto(flawedPhoto)).photo.width).toBe(320);
});

test('the first frame of an animated WebP is stored', async () => {
  const frames = [
    await createPlainPhoto(400, 300, '#dc1414').png().toBuffer(),
    await createPlainPhoto(400, 300, '#1414dc').png().toBuffer(),
  ];
  const animatedPhoto = await sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer();
  expect((await sharp(animatedPhoto).metadata()).pages).toBe(2);
  const { photo, files } = await storeValidPhoto(animatedPhoto);
  expect(photo.height).toBe(240);
  expect((await sharp(files.get(320)).metadata()).pages).toBeUndefined();
  expect(findCornerColor(await pixelAt(files.get(320), 10, 10))).toBe('red');
});

test.each([
  ['narrower than all stored widths', [200, 100], [200], [200, 100]],
  ['of one pixel', [1, 1], [1], [1, 1]],
  ['of the smallest stored width', [320, 200], [320], [320, 200]],
  ['between two stored widths', [1000, 500], [320, 640], [640, 320]],
  ['of the largest stored width', [1280, 720], [320, 640, 1280], [1280, 720]],
  ['that is a flat strip', [3000, 1], [320, 640, 1280], [1280, 1]],
  ['that is a tall strip', [1000, 20_000], [204], [204, 4080]],
  ['that is one pixel wide', [1, 30_000], [1], [1, 4096]],
] as const)(
  'a photo %s is never enlarged and never exceeds the maximum height',
  async (_name, [width, height], widths, [widest, tallest]) => {
    const { photo, files } = await storeValidPhoto(await createPlainPhoto(width, height).png().toBuffer());
    expect(photo).toMatchObject({ widths, width: widest, height: tallest });
    for (const [storedWidth, file] of files) expect((await sharp(file).metadata()).width).toBe(storedWidth);
  },
);

// @asvs 5.2.2
test('data appended to a photo isn’t stored', async () => {
  const markup = '<script>alert(document.cookie)</script>';
  const original = Buffer.concat([await createNoisyPhoto(700, 500).jpeg().toBuffer(), Buffer.from(markup.repeat(50))]);
  const { photo, files, folder } = await storeValidPhoto(original);
  expect(await fs.readdir(folder)).toEqual([photo.key]);
  expect((await fs.readdir(path.join(folder, photo.key))).sort()).toEqual(['320.webp', '640.webp']);
  for (const file of files.values()) {
    expect(file.includes('script')).toBe(false);
    for (let offset = 0; offset + 16 <= file.length; offset += 16) {
      expect(original.includes(file.subarray(offset, offset + 16)), `bytes ${offset} of a stored file`).toBe(false);
    }
  }
});

async function readCornerColors(
  file: Buffer | undefined,
  width: number,
  height: number,
): Promise<typeof UPRIGHT_CORNERS> {
  const colorAt = async (x: number, y: number) => findCornerColor(await pixelAt(file, x, y));
  return {
    topLeft: await colorAt(20, 20),
    topRight: await colorAt(width - 20, 20),
    bottomLeft: await colorAt(20, height - 20),
    bottomRight: await colorAt(width - 20, height - 20),
  };
}
