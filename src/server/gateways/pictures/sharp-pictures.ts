import type { Raw } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { MAX_PHOTO_MEGAPIXELS } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { newId } from '#server/db/new-id.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import type { Log } from '#server/log.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { createWorkQueue, type WorkQueue } from '#server/process/work-queue.ts';
import { type PhotoSize, readPhotoHeader } from './photo-header.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Pictures, UploadedFile } from './pictures.ts';
import { isPictureKey, pictureFileName, storedWidths, widestStoredWidth } from './pictures.ts';
import { loadSafeSharp } from './safe-sharp.ts';

/**
 * One photo at a time, since decoding takes up to 1 GB of memory. Waiting uploads are on disk. The decoder's own timeout
 * (DECODING_SECONDS) is shorter.
 */
const LIMITS = { maxRunning: 1, maxQueued: 64, timeoutSeconds: 90 };

type EncodedFile = { readonly width: number; readonly bytes: Buffer };

export type SharpPicturesOptions = {
  readonly files: PictureFiles;
  readonly queue?: WorkQueue;
  readonly log?: Pick<Log, 'error'>;
};

/** Decodes only JPEG, PNG, WebP, and AVIF, and only from memory. */
export function createSharpPictures({
  files,
  log,
  queue = createWorkQueue(LIMITS, () => log?.error({}, 'photo processing is slow; uploads are backing up')),
}: SharpPicturesOptions): Pictures {
  const unusedKeys = new Set<string>();
  const discard = async (key: string) => {
    if (!isPictureKey(key)) return;
    unusedKeys.add(key);
    await files.removeAll(key).then(
      () => unusedKeys.delete(key),
      () => {},
    );
  };
  return {
    async store(photo) {
      try {
        const storedPhoto = await storePhoto(photo, { files, queue, discard });
        if (!(storedPhoto instanceof Failure)) for (const key of unusedKeys) void discard(key);
        return storedPhoto;
      } catch (err) {
        if (!isUnavailable(err)) throw err;
        log?.error(
          { err },
          `a photo could not be stored, because the bucket or disk is unavailable. Run “${formatCommandLine('doctor')}”`,
        );
        return new Failure('photo-not-stored');
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

type EncodedPhoto = { readonly sizes: PhotoSizes; readonly encodedFiles: readonly EncodedFile[] };

type PhotoStorage = {
  readonly files: PictureFiles;
  readonly queue: WorkQueue;
  readonly discard: Pictures['discard'];
};

async function storePhoto(
  photo: Buffer | UploadedFile,
  { files, queue, discard }: PhotoStorage,
): Promise<StoredPhoto | Failure> {
  const encodedPhoto = Buffer.isBuffer(photo)
    ? await encodeUpload(photo, (work) => queue.run(work))
    : await queue.run(async () => encodeUpload(await photo.read(), (work) => work()));
  if (encodedPhoto instanceof Failure) return encodedPhoto;
  const { sizes, encodedFiles } = encodedPhoto;
  const key = newId();
  await storeAll({ files, discard }, key, encodedFiles);
  return { key, ...sizes.widest, widths: encodedFiles.map(({ width }) => width) };
}

type Work = () => Promise<EncodedFile[] | Failure>;

/** @param runWork runs the decoding: in the queue, or directly if the photo was read in the queue */
async function encodeUpload(
  bytes: Buffer,
  runWork: (work: Work) => Promise<EncodedFile[] | Failure>,
): Promise<EncodedPhoto | Failure> {
  const photo = await readPhotoHeader(bytes);
  if (photo instanceof Failure) return photo;
  const sizes = computeSizes(photo);
  const encodedFiles = await runWork(() => encodePhoto(bytes, sizes));
  return encodedFiles instanceof Failure ? encodedFiles : { sizes, encodedFiles };
}

/** Decodes once, in the largest size, and scales the smaller ones from it. */
async function encodePhoto(bytes: Buffer, { all, widest }: PhotoSizes): Promise<EncodedFile[] | Failure> {
  const pixels = await decodePhoto(bytes, widest);
  if (pixels instanceof Failure) return pixels;
  const encodedFiles: EncodedFile[] = [];
  for (const size of all) encodedFiles.push({ width: size.width, bytes: await encodePixels(pixels, size) });
  return encodedFiles;
}

/** Stores all files or none. */
async function storeAll(
  { files, discard }: Pick<PhotoStorage, 'files' | 'discard'>,
  key: string,
  encodedFiles: readonly EncodedFile[],
): Promise<void> {
  const puts = await Promise.allSettled(
    encodedFiles.map(({ width, bytes }) => files.put(`${key}/${width}.webp`, bytes)),
  );
  const failedPut = puts.find(({ status }) => status === 'rejected');
  if (failedPut?.status !== 'rejected') return;
  // A write that failed here may still have stored its file.
  const removal = discard(key);
  // If every write failed, deleting would fail too, so don’t make the uploader wait for it.
  if (puts.some(({ status }) => status === 'fulfilled')) await removal;
  throw failedPut.reason;
}

/** Pixels. WebP allows 16,383, but no page needs a photo taller than this. */
const MAX_HEIGHT = 4096;

/** All sizes in ascending order, and the widest one. */
export type PhotoSizes = { readonly all: readonly PhotoSize[]; readonly widest: PhotoSize };

/** Sizes of the stored files. A photo narrower than the smallest width is not enlarged. */
export function computeSizes(photo: PhotoSize): PhotoSizes {
  const limit = Math.min(photo.width, Math.max(1, Math.floor((photo.width * MAX_HEIGHT) / photo.height)));
  const widest = computeSize(photo, widestStoredWidth(limit));
  return { all: storedWidths(widest.width).map((width) => computeSize(photo, width)), widest };
}

function computeSize(photo: PhotoSize, width: number): PhotoSize {
  const height = Math.round((photo.height * width) / photo.width);
  return { width, height: Math.min(Math.max(1, height), MAX_HEIGHT) };
}

/** Decoded pixels in sRGB with 8 bits per channel, without metadata. */
export type Pixels = { readonly data: Buffer; readonly raw: Raw };

/** The slowest photo within the limits took 9 s, so a decoder that takes longer is stuck. */
const DECODING_SECONDS = 30;
const WEBP_QUALITY = 80;

/**
 * Decodes a photo, or the first frame of an animation, to upright sRGB pixels in the given size.
 * @returns Failure photo-unreadable if it is damaged or takes too long
 */
export async function decodePhoto(bytes: Buffer, { width, height }: PhotoSize): Promise<Pixels | Failure> {
  const sharp = await loadSafeSharp();
  try {
    const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PHOTO_MEGAPIXELS * 1_000_000 })
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
  const sharp = await loadSafeSharp();
  return await sharp(data, { raw }).resize({ width, height, fit: 'fill' }).webp({ quality: WEBP_QUALITY }).toBuffer();
}
