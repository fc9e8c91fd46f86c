import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { listWebpChunks } from '#test/support/photos.ts';
import { picturesInFolder, storeValidPhoto } from '../server/pictures/stored-pictures.ts';

const FOLDER = path.join(process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'), 'images');
const REJECTIONS = ['photo-format', 'photo-unreadable', 'photo-too-many-pixels', 'photo-too-large', 'no-img'];

/** Expected results for known files. All other files must be sanitized, or rejected with a reason. */
const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/\.(svgz?|gif|pdf|ico|bmp|tiff?|exr)$/i, 'photo-format'],
  [/^sharp-truncated\./, 'photo-unreadable'],
  [/^sharp-corrupt-header\.jpg$/, 'photo-unreadable'],
  [/^(vips-17000x17000\.avif|sharp-giant-image\.jpg|sharp-65536-uint32-limit\.png)$/, 'photo-too-many-pixels'],
  [/^sharp-Landscape_6\.jpg$/, '320x240'],
  [/^sharp-Portrait_8\.jpg$/, '320x427'],
  [/^sharp-Landscape_9\.jpg$/, '320x246'],
  [/^vips-rotation-[68]\.jpg$/, '231x308'],
  [/^sharp-Channel_digital_image_CMYK_color\.jpg$/, '320x213'],
  [/^sharp-16-bit-grey-alpha\.png$/, '109x96'],
  [/^sharp-gain-map\.jpg$/, '1280x720'],
  [/^sharp-pitm\.avif$/, '1280x250'],
  [/^sharp-animated-loop-3\.webp$/, '320x246'],
  [/^vips-looks-like-svg\.webp$/, '256x256'],
];

const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => path.extname(name) !== '') : [];
if (names.length === 0) console.log('Skipped: no pictures. Set CORPORA_DIR to a folder that contains "images".');

test.skipIf(names.length === 0)('the folder has pictures', () => {
  expect(names.length).toBeGreaterThan(0);
});

test.each(names)('%s is sanitized or rejected with a reason', async (name) => {
  const bytes = readFileSync(path.join(FOLDER, name));
  const startTime = performance.now();
  const result = await (await picturesInFolder()).pictures.store(bytes);
  const elapsed = `${Math.round(performance.now() - startTime)} ms`;
  const verdict = result instanceof Failure ? result.code : `${result.width}x${result.height}`;
  console.log(`  ${name.padEnd(44)} ${verdict.padEnd(24)} ${elapsed}`);
  if (result instanceof Failure) expect(REJECTIONS).toContain(result.code);
  else await expectClean(bytes);
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1] ?? verdict;
  expect(verdict).toBe(expected);
});

async function expectClean(bytes: Buffer): Promise<void> {
  const { photo, files } = await storeValidPhoto(bytes);
  for (const [width, file] of files) {
    for (const part of listWebpChunks(file)) expect(['VP8', 'VP8L', 'VP8X', 'ALPH']).toContain(part);
    expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, hasProfile: false });
  }
  expect(photo.width).toBe(photo.widths.at(-1));
}
