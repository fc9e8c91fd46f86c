// @spec decisions.5
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { PHOTO_LIMIT_BYTES } from '#domain/profile.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { detectPhotoFormat } from '#server/gateways/pictures/photo-header.ts';
import { openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { loadSafeSharp } from '#server/gateways/pictures/safe-sharp.ts';
import { createSharpPictures } from '#server/gateways/pictures/sharp-pictures.ts';
import { createWorkQueue } from '#server/process/work-queue.ts';
import {
  createFourColorPhoto,
  createNoisyPhoto,
  createPlainPhoto,
  createPngBomb,
  fakeAvifSize,
  fakeJpegSize,
  fakePngSize,
} from '#test/support/photos.ts';
import { picturesInFolder, temporaryFolder, tryToStore } from './stored-pictures.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="9" height="9"/></svg>';
const PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Files that aren't photos. The file name doesn't matter, so any of them could be named .jpg. */
const NON_PHOTOS: Record<string, Buffer> = {
  'an SVG': Buffer.from(SVG),
  'an SVG with a declaration before it': Buffer.from(`<?xml version="1.0"?>\n<!-- photo.jpg -->\n${SVG}`),
  'a gzipped SVG': gzipSync(SVG),
  'a GIF': PIXEL_GIF,
  'plain text': Buffer.from('This is not a photo, whatever its name says.'),
  'an HTML page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a PDF': Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
  'a BMP': Buffer.from(`BM${'\0'.repeat(100)}`, 'latin1'),
  'an icon': Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 0]),
  'a TIFF': Buffer.from('II*\0\x08\0\0\0\0\0\0\0', 'latin1'),
  'a HEIC': Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
  'an MP4': Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'),
  'a WAV': Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
  'one byte': Buffer.from([0xff]),
  nulls: Buffer.alloc(1000),
};

// @asvs 1.3.4 5.2.2
test.each(Object.entries(NON_PHOTOS))('%s is rejected by its first bytes', async (_name, bytes) => {
  expect(await tryToStore(bytes)).toBe('photo-format');
});

// @asvs 1.3.4
test('the decoder rejects other formats', async () => {
  expect(await tryToStore(PIXEL_GIF)).toBe('photo-format');
  const sharp = await loadSafeSharp();
  const decodings = await Promise.allSettled([Buffer.from(SVG), PIXEL_GIF].map((bytes) => sharp(bytes).metadata()));
  expect(decodings.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a missing photo is rejected', async () => {
  expect(await tryToStore(Buffer.alloc(0))).toBe('no-img');
});

// @asvs 5.2.1
test('a 25 MB photo is rejected, and a photo one byte smaller is accepted', async () => {
  const jpeg = await createPlainPhoto(400, 300).jpeg().toBuffer();
  const padTo = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
  expect(await tryToStore(padTo(PHOTO_LIMIT_BYTES + 1))).toBe('photo-too-large');
  expect(await tryToStore(padTo(PHOTO_LIMIT_BYTES))).toBe('photo-too-large');
  expect(await tryToStore(padTo(PHOTO_LIMIT_BYTES - 1))).toBe('stored');
});

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a truncated %s is rejected as damaged', async (format) => {
  const fullPhoto = await createNoisyPhoto(200, 150).toFormat(format).toBuffer();
  expect(await tryToStore(fullPhoto)).toBe('stored');
  expect(await tryToStore(fullPhoto.subarray(0, Math.floor(fullPhoto.length * 0.6)))).toBe('photo-unreadable');
  expect(await tryToStore(fullPhoto.subarray(0, 40))).toBe('photo-unreadable');
});

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'a %s with noise after its first bytes is rejected as damaged',
  async (format) => {
    const start = (await createPlainPhoto(20, 20).toFormat(format).toBuffer()).subarray(0, 32);
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + (i >> 3)) % 251));
    expect(detectPhotoFormat(start)).toBe(format);
    expect(await tryToStore(Buffer.concat([start, noise]))).toBe('photo-unreadable');
  },
);

// @asvs 5.2.3
test('a 289-megapixel decompression bomb is rejected before decoding', async () => {
  const bomb = createPngBomb(17_000, 17_000);
  expect(bomb.length).toBeLessThan(50_000);
  expect(await tryToStore(bomb)).toBe('photo-too-many-pixels');
  // The first bytes can't be decoded, so the decision came from the header.
  expect(await tryToStore(bomb.subarray(0, 100))).toBe('photo-too-many-pixels');
});

test('a file that claims too many pixels is rejected regardless of its content', async () => {
  const jpeg = await createPlainPhoto(400, 300).jpeg().toBuffer();
  const avif = await createPlainPhoto(400, 300).avif({ effort: 0 }).toBuffer();
  expect(await tryToStore(fakeJpegSize(jpeg, 65_000, 65_000))).toBe('photo-too-many-pixels');
  expect(await tryToStore(fakeAvifSize(avif, 17_000, 17_000))).toBe('photo-too-many-pixels');
  const png = await createPlainPhoto(400, 300).png().toBuffer();
  expect(await tryToStore(fakePngSize(png, 200_000, 200_000))).toBe('photo-too-many-pixels');
});

test('a strip 1 pixel wide and 50 million pixels tall is rejected before decoding', async () => {
  const png = await createPlainPhoto(400, 300).png().toBuffer();
  expect(await tryToStore(fakePngSize(png, 1, 50_000_000))).toBe('photo-too-long');
  expect(await tryToStore(fakePngSize(png, 40_001, 1))).toBe('photo-too-long');
  expect(await tryToStore(createPngBomb(40_000, 1))).toBe('stored');
});

test('an AVIF that claims fewer pixels than it contains is rejected', async () => {
  const avif = await createPlainPhoto(2000, 2000).avif({ effort: 0 }).toBuffer();
  expect(await tryToStore(fakeAvifSize(avif, 20, 20))).toBe('photo-unreadable');
});

test('a 100-megapixel photo is accepted, one more row is rejected, and the message gives the limit', async () => {
  expect(await tryToStore(createPngBomb(10_000, 10_000))).toBe('stored');
  const { pictures } = await picturesInFolder();
  const rejection = await pictures.store(createPngBomb(10_000, 10_001));
  expect(rejection).toMatchObject({ code: 'photo-too-many-pixels', details: { max: 100 } });
});

test('formats decoded all at once have a lower limit because a 4 kB file could use 2 GB of memory', async () => {
  const avif = await createPlainPhoto(400, 300).avif({ effort: 0 }).toBuffer();
  const { pictures } = await picturesInFolder();
  /** Returns the user-facing message for a rejected photo. */
  const rejectionMessage = async (photo: Buffer) => {
    const rejection = await pictures.store(photo);
    return rejection instanceof Failure ? failureSentence(rejection) : rejection;
  };
  expect(await rejectionMessage(fakeAvifSize(avif, 6000, 5001))).toMatch(/An AVIF photo .*30 megapixels/);
  const interlaced = await createFourColorPhoto(1).png({ progressive: true }).toBuffer();
  expect(await tryToStore(interlaced)).toBe('stored');
  expect(await rejectionMessage(fakePngSize(interlaced, 8000, 5001))).toMatch(
    /An interlaced PNG photo .*40 megapixels/,
  );
});

test('if the queue is full, the client is asked to retry', async () => {
  const folder = await temporaryFolder();
  const queue = createWorkQueue({ maxRunning: 0, maxQueued: 0, timeoutSeconds: 60 });
  const pictures = createSharpPictures({ files: openPictureFiles({ folder, s3: undefined }), queue });
  const response = await pictures.store(await createPlainPhoto(400, 300).jpeg().toBuffer());
  expect(response).toBeInstanceOf(Failure);
  expect(response).toMatchObject({ code: 'too-many-requests', details: { seconds: 10 } });
});
