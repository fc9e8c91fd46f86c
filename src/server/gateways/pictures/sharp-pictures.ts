import type { Raw } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { PHOTO_MEGAPIXELS } from '#domain/profile.ts';
import type { Log } from '#server/db/connection.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import { newId } from '#server/ids.ts';
import { commandLine } from '#server/program-file.ts';
import { type WorkQueue, workQueue } from '#server/work-queue.ts';
import { type PhotoSize, readPhotoHeader } from './photo-header.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Pictures, Uploaded } from './pictures.ts';
import { isPictureKey, pictureFileName, storedWidths, widestStored } from './pictures.ts';
import { safeSharp } from './safe-sharp.ts';

/**
 * Decodes one photo at a time, which takes up to 1 GB. Waiting uploads are on disk. The decoder's own timeout is shorter
 * (DECODING_SECONDS).
 */
const LIMITS = { atOnce: 1, waiting: 64, seconds: 90 };

type Encoded = { readonly width: number; readonly bytes: Buffer };

export type SharpPicturesOptions = {
  readonly files: PictureFiles;
  readonly queue?: WorkQueue;
  readonly log?: Pick<Log, 'error'>;
};

/** Opens only JPEG, PNG, WebP and AVIF, and only from memory. */
export function sharpPictures({ files, queue = workQueue(LIMITS), log }: SharpPicturesOptions): Pictures {
  const unwanted = new Set<string>();
  const discard = async (key: string) => {
    if (!isPictureKey(key)) return;
    unwanted.add(key);
    await files.removeAll(key).then(
      () => unwanted.delete(key),
      () => {},
    );
  };
  return {
    async store(photo) {
      try {
        const stored = await storePhoto(photo, { files, queue, discard });
        if (!(stored instanceof Failure)) for (const key of unwanted) void discard(key);
        return stored;
      } catch (err) {
        if (!isUnavailable(err)) throw err;
        log?.error(
          { err },
          `a photo could not be stored: the bucket or the disk cannot be used, see "${commandLine('doctor')}"`,
        );
        return new Failure('photo-not-kept');
      }
    },
    async open(key, width) {
      const name = pictureFileName(key, width);
      return name === undefined ? undefined : await files.get(name);
    },
    async remove(key) {
      if (isPictureKey(key)) await files.removeAll(key);
    },
    discard,
  };
}

type Made = { readonly sizes: PhotoSizes; readonly encoded: readonly Encoded[] };

type Storing = {
  readonly files: PictureFiles;
  readonly queue: WorkQueue;
  readonly discard: Pictures['discard'];
};

async function storePhoto(
  photo: Buffer | Uploaded,
  { files, queue, discard }: Storing,
): Promise<StoredPhoto | Failure> {
  const made = Buffer.isBuffer(photo)
    ? await makePhoto(photo, (work) => queue.run(work))
    : await queue.run(async () => makePhoto(await photo.read(), (work) => work()));
  if (made instanceof Failure) return made;
  const { sizes, encoded } = made;
  const key = newId();
  await putAll({ files, discard }, key, encoded);
  return { key, ...sizes.widest, widths: encoded.map(({ width }) => width) };
}

type Work = () => Promise<Encoded[] | Failure>;

/** @param inTurn waits for the turn of a photo that is in memory anyway */
async function makePhoto(bytes: Buffer, inTurn: (work: Work) => Promise<Encoded[] | Failure>): Promise<Made | Failure> {
  const photo = await readPhotoHeader(bytes);
  if (photo instanceof Failure) return photo;
  const sizes = sizesOf(photo);
  const encoded = await inTurn(() => encodePhoto(bytes, sizes));
  return encoded instanceof Failure ? encoded : { sizes, encoded };
}

/** Decodes once, in the largest size, and scales the smaller ones from that. */
async function encodePhoto(bytes: Buffer, { all, widest }: PhotoSizes): Promise<Encoded[] | Failure> {
  const pixels = await decodePhoto(bytes, widest);
  if (pixels instanceof Failure) return pixels;
  const encoded: Encoded[] = [];
  for (const size of all) encoded.push({ width: size.width, bytes: await encodePixels(pixels, size) });
  return encoded;
}

/** Stores all files or none. */
async function putAll(
  { files, discard }: Pick<Storing, 'files' | 'discard'>,
  key: string,
  encoded: readonly Encoded[],
): Promise<void> {
  const puts = await Promise.allSettled(encoded.map(({ width, bytes }) => files.put(`${key}/${width}.webp`, bytes)));
  const failed = puts.find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  // What was given up may have been kept all the same.
  const removed = discard(key);
  // Where nothing can be written, nothing can be deleted either, and somebody waits.
  if (puts.some(({ status }) => status === 'fulfilled')) await removed;
  throw failed.reason;
}

/** WebP allows 16,383 pixels; no page needs a photo much taller than this. */
const MOST_HEIGHT = 4096;

/** Ascending, and the last of them. */
export type PhotoSizes = { readonly all: readonly PhotoSize[]; readonly widest: PhotoSize };

/** Never enlarges: a photo narrower than the smallest width keeps its own. */
export function sizesOf(photo: PhotoSize): PhotoSizes {
  const limit = Math.min(photo.width, Math.max(1, Math.floor((photo.width * MOST_HEIGHT) / photo.height)));
  const widest = sizeAt(photo, widestStored(limit));
  return { all: storedWidths(widest.width).map((width) => sizeAt(photo, width)), widest };
}

function sizeAt(photo: PhotoSize, width: number): PhotoSize {
  const height = Math.round((photo.height * width) / photo.width);
  return { width, height: Math.min(Math.max(1, height), MOST_HEIGHT) };
}

/** 8 bits per channel, sRGB. Carries no metadata. */
export type Pixels = { readonly data: Buffer; readonly raw: Raw };

/** The slowest photo within the limits took 9 s; if decoding takes longer than this, something is stuck. */
const DECODING_SECONDS = 30;
const WEBP_QUALITY = 80;

/**
 * Decodes a photo to sRGB, upright, in the given size. Of an animation, the first frame.
 * @returns Failure photo-unreadable if it is damaged or takes too long
 */
export async function decodePhoto(bytes: Buffer, { width, height }: PhotoSize): Promise<Pixels | Failure> {
  const sharp = await safeSharp();
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

export async function encodePixels({ data, raw }: Pixels, { width, height }: PhotoSize): Promise<Buffer> {
  const sharp = await safeSharp();
  return await sharp(data, { raw }).resize({ width, height, fit: 'fill' }).webp({ quality: WEBP_QUALITY }).toBuffer();
}
