import { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { readPhotoHeader } from './photo-header.ts';
import { allowOnlyPhotoLoaders, decodePhoto, encodePixels } from './photo-pixels.ts';
import { type PhotoSizes, sizesOf } from './photo-widths.ts';
import type { PictureFiles } from './picture-files.ts';
import { isPictureKey, pictureFileName } from './picture-names.ts';
import type { Pictures } from './pictures.ts';
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
