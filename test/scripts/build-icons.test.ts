import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { buildIcons } from '#scripts/build/icons.ts';

const folder = await mkdtemp(join(tmpdir(), 'icons-'));
afterAll(() => rm(folder, { recursive: true }));
await buildIcons(folder);

type Manifest = {
  name: string;
  start_url: string;
  theme_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
};
const manifest = JSON.parse(await readFile(join(folder, 'manifest.webmanifest'), 'utf8')) as Manifest;

/** A picture of the folder in its pixels. */
async function pixelsOf(src: string) {
  const { data, info } = await sharp(join(folder, src)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { ...info, at };
}

const NIGHT = [7, 32, 42, 255];
const LAMP = [255, 194, 75, 255];

test('the manifest says what the program is called, in its colour, and where it begins', () => {
  expect(manifest).toMatchObject({ name: 'City Climate Fund', start_url: '/', theme_color: '#07202a' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
});

test('every icon is there, of the size and the kind that the manifest says', async () => {
  for (const { src, sizes, type } of manifest.icons) {
    const { format, width, height } = await sharp(join(folder, src)).metadata();
    expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type]);
  }
  const apple = await sharp(join(folder, 'img/apple-touch-icon.png')).metadata();
  expect([apple.width, apple.height]).toEqual([180, 180]);
});

test('what is cut into a shape by the system fills its square, and its mark stays within the circle that is never cut', async () => {
  const { at, width } = await pixelsOf('img/icon-maskable-512.png');
  for (const [x, y] of [
    [0, 0],
    [511, 0],
    [0, 511],
    [511, 511],
  ] as const)
    expect(at(x, y)).toEqual(NIGHT);
  const middle = (width - 1) / 2;
  for (let y = 0; y < width; y += 3) {
    for (let x = 0; x < width; x += 3) {
      const isOutside = Math.hypot(x - middle, y - middle) > width * 0.4;
      if (isOutside) expect(at(x, y), `${x} ${y}`).toEqual(NIGHT);
    }
  }
  expect(at(256, 180)).toEqual(LAMP);
});

test('the icon that is shown as it is has round corners, and the one for Apple has none', async () => {
  expect((await pixelsOf('img/icon-192.png')).at(0, 0)[3]).toBe(0);
  const apple = await pixelsOf('img/apple-touch-icon.png');
  expect([apple.at(0, 0), apple.at(179, 179)]).toEqual([NIGHT, NIGHT]);
  expect(apple.at(90, 50)).toEqual(LAMP);
});
