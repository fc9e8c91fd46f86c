import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SITE_NAME } from '#domain/site-name.ts';

const PUBLIC = 'src/web/public';
const FONTS = 'src/web/fonts';

type Manifest = {
  name: string;
  start_url: string;
  theme_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
};
const manifest = JSON.parse(await readFile(path.join(PUBLIC, 'manifest.webmanifest'), 'utf8')) as Manifest;

const openPicture = async (src: string) => sharp(await readFile(path.join(PUBLIC, src)));

async function readPixels(src: string) {
  const { data, info } = await (await openPicture(src)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixelAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { ...info, pixelAt };
}

const NIGHT = [7, 32, 42, 255];
const LAMP = [255, 194, 75, 255];

test('the manifest matches the pages’ name and theme color', async () => {
  expect(manifest).toMatchObject({ name: SITE_NAME, start_url: '/' });
  expect(await readFile('src/web/index.html', 'utf8')).toContain(
    `<meta name="theme-color" content="${manifest.theme_color}" />`,
  );
});

test('every icon has the size and type in the manifest', async () => {
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of manifest.icons) {
    const { format, width, height } = await (await openPicture(src)).metadata();
    expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type]);
  }
  const apple = await (await openPicture('img/apple-touch-icon.png')).metadata();
  expect([apple.width, apple.height]).toEqual([180, 180]);
});

test('the maskable icon fills its square and keeps its mark inside the safe circle', async () => {
  const { pixelAt, width } = await readPixels('img/icon-maskable-512.png');
  const center = (width - 1) / 2;
  for (let y = 0; y < width; y += 3) {
    for (let x = 0; x < width; x += 3) {
      const isOutside = Math.hypot(x - center, y - center) > width * 0.4;
      if (isOutside) expect(pixelAt(x, y), `${x} ${y}`).toEqual(NIGHT);
    }
  }
  expect(pixelAt(511, 511)).toEqual(NIGHT);
  expect(pixelAt(256, 180)).toEqual(LAMP);
});

test('the plain icon has rounded corners, and the Apple icon has square ones', async () => {
  expect((await readPixels('img/icon-192.png')).pixelAt(0, 0)[3]).toBe(0);
  const apple = await readPixels('img/apple-touch-icon.png');
  expect([apple.pixelAt(0, 0), apple.pixelAt(179, 179)]).toEqual([NIGHT, NIGHT]);
  expect(apple.pixelAt(90, 50)).toEqual(LAMP);
});

test('the drawings are SVG without scripts, and the hero is under 50 KB and cropped from its bottom center', async () => {
  const drawings = (await readdir(path.join(PUBLIC, 'img'))).filter((name) => name.endsWith('.svg'));
  expect(drawings.toSorted()).toEqual(['hero.svg', 'icon.svg', 'land.svg']);
  for (const name of drawings) {
    const drawing = await readFile(path.join(PUBLIC, 'img', name), 'utf8');
    expect(drawing).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>$/s);
    expect(drawing).not.toMatch(/NaN|undefined|Infinity|<script|<text/);
  }
  const hero = await readFile(path.join(PUBLIC, 'img/hero.svg'), 'utf8');
  expect(hero.length).toBeLessThan(50_000);
  expect(hero).toContain('preserveAspectRatio="xMidYMax slice"');
});

/** The x coordinates of each shape's points, in tenths of a degree. */
async function readLandShapes(): Promise<number[][]> {
  const land = await readFile(path.join(PUBLIC, 'img/land.svg'), 'utf8');
  const data = / d="([^"]+)"/.exec(land)?.[1] ?? '';
  return data
    .split('z')
    .filter((shape) => shape !== '')
    .map((shape) => {
      let x = 0;
      return [...shape.matchAll(/[Ml](-?\d+)/g)].map(([, step]) => (x += Number(step)));
    });
}

test('no land polygon jumps across the date line', async () => {
  const shapes = await readLandShapes();
  expect(shapes.length).toBeGreaterThan(100);
  for (const shape of shapes) {
    const steps = shape.map((x, index) => Math.abs(x - (shape.at(index - 1) ?? x)));
    expect(Math.max(...steps)).toBeLessThan(900);
  }
});

test('land reaches the date line from both sides because Chukotka spans it', async () => {
  const longitudes = (await readLandShapes()).flat();
  expect(Math.min(...longitudes)).toBe(-1800);
  expect(Math.max(...longitudes)).toBe(1800);
});

test('fonts are small, with rare letters in separate files', async () => {
  const readSize = async (name: string) => (await stat(path.join(FONTS, name))).size;
  expect((await readSize('bricolage.woff2')) + (await readSize('figtree.woff2'))).toBeLessThan(50_000);
  expect((await readSize('bricolage-ext.woff2')) + (await readSize('figtree-ext.woff2'))).toBeLessThan(20_000);
});
