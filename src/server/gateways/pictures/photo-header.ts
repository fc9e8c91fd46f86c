import sharp, { type Metadata } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { PHOTO_MEGAPIXELS, photoSizeFailure } from '#domain/profile.ts';

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

/** The formats a photo may come in (decisions §5). */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'avif';

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A still picture and a sequence. The brands of HEIC are others: its pictures do not open in every browser. */
const AVIF_BRANDS: readonly string[] = ['avif', 'avis'];
/** Real files name fewer than ten brands. */
const MOST_BRANDS = 64;

/** The format by what is in the file; its name and the type that the browser claims are anybody's to choose. */
export function photoFormat(bytes: Buffer): PhotoFormat | undefined {
  if (startsWith(bytes, JPEG_START)) return 'jpeg';
  if (startsWith(bytes, PNG_START)) return 'png';
  if (textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP') return 'webp';
  return brandsOf(bytes).some((brand) => AVIF_BRANDS.includes(brand)) ? 'avif' : undefined;
}

/** The brands that an ISO media file says it can be read as: the major one, then the compatible ones. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16 || textAt(bytes, 4) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 4 * MOST_BRANDS);
  const brands = [textAt(bytes, 8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(textAt(bytes, at));
  return brands;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

/** Four bytes as text. */
function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
