import sharp, { type Raw } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { PHOTO_MEGAPIXELS } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { type PhotoSize, readPhotoHeader } from './photo-header.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Pictures } from './pictures.ts';
import { isPictureKey, pictureFileName } from './pictures.ts';
import { type WorkQueue, workQueue } from './work-queue.ts';

/**
 * One photo is decoded at a time, the largest in 1 GB. Those that wait hold their upload, at most 25 MB each. The decoder
 * gives up by itself before the time is over (photo-pixels.ts), if it can.
 */
const LIMITS = { atOnce: 1, waiting: 12, seconds: 90 };

type Encoded = { readonly width: number; readonly bytes: Buffer };

export type SharpPicturesOptions = { readonly files: PictureFiles; readonly queue?: WorkQueue };

/**
 * Pictures made safe by sharp. From then on the process opens JPEG, PNG, WebP and AVIF from memory, and no other
 * picture: who draws from SVG does so in a process of its own.
 */
export function sharpPictures({ files, queue = workQueue(LIMITS) }: SharpPicturesOptions): Pictures {
  allowOnlyPhotoLoaders();
  return {
    keep: (bytes) => keepPhoto(bytes, files, queue),
    async open(key, width) {
      const name = pictureFileName(key, width);
      return name === undefined ? undefined : await files.get(name);
    },
    async remove(key) {
      if (isPictureKey(key)) await files.removeAll(key);
    },
  };
}

async function keepPhoto(bytes: Buffer, files: PictureFiles, queue: WorkQueue): Promise<StoredPhoto | Failure> {
  const photo = await readPhotoHeader(bytes);
  if (photo instanceof Failure) return photo;
  const sizes = sizesOf(photo);
  const encoded = await queue.run(() => encodePhoto(bytes, sizes));
  if (encoded instanceof Failure) return encoded;
  const key = newId();
  await putAll(files, key, encoded);
  return { key, ...sizes.widest, widths: encoded.map(({ width }) => width) };
}

/** Decoded once, in the largest size; the smaller ones are made of that. */
async function encodePhoto(bytes: Buffer, { all, widest }: PhotoSizes): Promise<Encoded[] | Failure> {
  const pixels = await decodePhoto(bytes, widest);
  if (pixels instanceof Failure) return pixels;
  const encoded: Encoded[] = [];
  for (const size of all) encoded.push({ width: size.width, bytes: await encodePixels(pixels, size) });
  return encoded;
}

/** All files or none: what was put before a failure is taken away again. */
async function putAll(files: PictureFiles, key: string, encoded: readonly Encoded[]): Promise<void> {
  try {
    for (const { width, bytes } of encoded) await files.put(`${key}/${width}.webp`, bytes);
  } catch (error) {
    await files.removeAll(key).catch(() => undefined);
    throw error;
  }
}

/** The widths in pixels that a photo is kept in: a card on a phone, a card on a sharp screen, a whole page. */
const WIDTHS: readonly number[] = [320, 640, 1280];
/** WebP ends at 16,383 pixels; a page has no use for a strip much taller than this. */
const MOST_HEIGHT = 4096;

/** The sizes that a photo is kept in, ascending, and the last of them. */
export type PhotoSizes = { readonly all: readonly PhotoSize[]; readonly widest: PhotoSize };

/** A photo is never enlarged; one narrower than the least width keeps its own. */
export function sizesOf(photo: PhotoSize): PhotoSizes {
  const limit = Math.min(photo.width, Math.max(1, Math.floor((photo.width * MOST_HEIGHT) / photo.height)));
  const widths = WIDTHS.filter((width) => width <= limit);
  const widest = sizeAt(photo, widths.at(-1) ?? limit);
  return { all: [...widths.slice(0, -1).map((width) => sizeAt(photo, width)), widest], widest };
}

function sizeAt(photo: PhotoSize, width: number): PhotoSize {
  const height = Math.round((photo.height * width) / photo.width);
  return { width, height: Math.min(Math.max(1, height), MOST_HEIGHT) };
}

/** Pixels and nothing else: 8 bits a channel, sRGB. No metadata can come through here, because there is no place for it. */
export type Pixels = { readonly data: Buffer; readonly raw: Raw };

/** The slowest photo within the limits took 9 s; a decoder busy longer than this is being held. */
const DECODING_SECONDS = 30;
/** Where the eye stops seeing a difference in photographs of this size. */
const WEBP_QUALITY = 80;
const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'HeifBuffer'];

/**
 * Lets the decoder open the four photo formats from memory, and nothing else: no SVG, no GIF, no TIFF, no file by name.
 * This holds for the whole process, and comes behind the look at the first bytes.
 */
export function allowOnlyPhotoLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  // Every upload is decoded once: nothing is worth remembering.
  sharp.cache(false);
}

/**
 * A photo decoded, turned upright and brought to a size. Of an animated one, the first frame. The library converts to
 * sRGB by itself, by the photo's colour profile.
 * @returns Failure photo-unreadable when it is damaged or takes too long
 */
export async function decodePhoto(bytes: Buffer, { width, height }: PhotoSize): Promise<Pixels | Failure> {
  try {
    const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: PHOTO_MEGAPIXELS * 1_000_000 })
      .autoOrient()
      .resize({ width, height, fit: 'fill' })
      .timeout({ seconds: DECODING_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
  } catch {
    return new Failure('photo-unreadable');
  }
}

/** The pixels as a WebP file of a size. */
export async function encodePixels({ data, raw }: Pixels, { width, height }: PhotoSize): Promise<Buffer> {
  return await sharp(data, { raw }).resize({ width, height, fit: 'fill' }).webp({ quality: WEBP_QUALITY }).toBuffer();
}
