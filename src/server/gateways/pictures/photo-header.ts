import sharp, { type Metadata } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { PHOTO_MEGAPIXELS, photoSizeFailure } from '#domain/profile.ts';
import { type PhotoFormat, photoFormat } from './photo-format.ts';

const MEGAPIXEL = 1_000_000;
/**
 * AVIF and interlaced PNG are unpacked whole before the first row can be used: 100 megapixels of them, in a file of
 * 4 kB, took 2.4 and 1 GB. With these limits every photo stays under 1 GB, and nearly all under 0.2.
 */
const AVIF: PixelLimit = { kind: 'An AVIF photo', most: 30 };
const INTERLACED_PNG: PixelLimit = { kind: 'An interlaced PNG photo', most: 40 };
const ANY_OTHER: PixelLimit = { kind: 'A photo', most: PHOTO_MEGAPIXELS };

/** The megapixels that a kind of photo may have; its name is for the donor, whose next photo may be of another. */
type PixelLimit = { readonly kind: string; readonly most: number };

/** Width and height in pixels, as the picture is seen: upright. */
export type PhotoSize = { readonly width: number; readonly height: number };

/**
 * The size of an uploaded photo from its first bytes; no pixel is decoded, so a bomb costs nothing.
 * @returns Failure no-img, photo-too-large, photo-format, photo-unreadable, photo-too-many-pixels
 */
export async function readPhotoHeader(bytes: Buffer): Promise<PhotoSize | Failure> {
  const tooLarge = photoSizeFailure(bytes.length);
  if (tooLarge) return tooLarge;
  const format = photoFormat(bytes);
  if (!format) return new Failure('photo-format');
  const metadata = await metadataOf(bytes);
  if (!metadata) return new Failure('photo-unreadable');
  const limit = pixelLimit(metadata, format);
  if (metadata.width * metadata.height > limit.most * MEGAPIXEL) return new Failure('photo-too-many-pixels', limit);
  return metadata.autoOrient;
}

async function metadataOf(bytes: Buffer): Promise<Metadata | undefined> {
  try {
    // Without the library's own limit, so that the refusal can be told from damage. The decoding has the limit.
    return await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata();
  } catch {
    return undefined;
  }
}

function pixelLimit(metadata: Metadata, format: PhotoFormat): PixelLimit {
  if (format === 'avif') return AVIF;
  return format === 'png' && metadata.isProgressive ? INTERLACED_PNG : ANY_OTHER;
}
