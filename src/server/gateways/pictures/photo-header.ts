import type { Metadata } from 'sharp';
import { Failure, type LocalizedText } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';
import { MAX_PHOTO_MEGAPIXELS, MAX_PHOTO_SIDE, photoSizeFailure } from '#domain/profile.ts';
import { m } from '#messages';
import { loadSafeSharp } from './safe-sharp.ts';

const MEGAPIXEL = 1_000_000;
/**
 * AVIF and interlaced PNG are decoded completely before the first row is usable: 100 megapixels from a 4 kB file took 2.4 GB
 * and 1 GB of memory. With these limits, every photo takes less than 1 GB, and almost all take less than 0.2 GB.
 */
const AVIF: PixelLimit = { kind: (options) => m.photoAvif({}, options), max: 30 };
const INTERLACED_PNG: PixelLimit = { kind: (options) => m.photoInterlaced({}, options), max: 40 };
const OTHER_FORMATS: PixelLimit = { kind: (options) => m.photoAny({}, options), max: MAX_PHOTO_MEGAPIXELS };

/** `kind` is shown to the donor, who can then choose another format. */
type PixelLimit = { readonly kind: LocalizedText; readonly max: number };

/** In pixels, after rotation to upright. */
export type PhotoSize = { readonly width: number; readonly height: number };

/**
 * Reads the size from the first bytes without decoding any pixels, so that a decompression bomb is harmless.
 * @returns Failure no-img, photo-too-large, photo-format, photo-unreadable, photo-too-many-pixels, photo-too-long
 */
export async function readPhotoHeader(bytes: Buffer): Promise<PhotoSize | Failure> {
  const sizeFailure = photoSizeFailure(bytes.length);
  if (sizeFailure) return sizeFailure;
  const format = detectPhotoFormat(bytes);
  if (!format) return new Failure('photo-format');
  const metadata = await readMetadata(bytes);
  if (!metadata) return new Failure('photo-unreadable');
  const limit = getPixelLimit(metadata, format);
  if (metadata.width * metadata.height > limit.max * MEGAPIXEL) return new Failure('photo-too-many-pixels', limit);
  if (Math.max(metadata.width, metadata.height) > MAX_PHOTO_SIDE)
    return new Failure('photo-too-long', { max: formatWhole(MAX_PHOTO_SIDE) });
  return metadata.autoOrient;
}

async function readMetadata(bytes: Buffer): Promise<Metadata | undefined> {
  const sharp = await loadSafeSharp();
  try {
    // The library's own limit is off here, to distinguish oversized photos from damaged ones. It applies when decoding.
    return await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata();
  } catch {
    return undefined;
  }
}

function getPixelLimit(metadata: Metadata, format: PhotoFormat): PixelLimit {
  if (format === 'avif') return AVIF;
  return format === 'png' && metadata.isProgressive ? INTERLACED_PNG : OTHER_FORMATS;
}

/** Accepted formats (decisions §5). */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'avif';

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** For still images and sequences. HEIC, which not every browser supports, has other brands. */
const AVIF_BRANDS: readonly string[] = ['avif', 'avis'];
/** Real files list fewer than ten brands. */
const MAX_BRANDS = 64;

/** Detects the format from the content, because the file name and the browser's type can't be trusted. */
export function detectPhotoFormat(bytes: Buffer): PhotoFormat | undefined {
  if (startsWith(bytes, JPEG_START)) return 'jpeg';
  if (startsWith(bytes, PNG_START)) return 'png';
  if (readText(bytes, 0) === 'RIFF' && readText(bytes, 8) === 'WEBP') return 'webp';
  return readBrands(bytes).some((brand) => AVIF_BRANDS.includes(brand)) ? 'avif' : undefined;
}

/** Reads the major brand of an ISO media file, followed by the compatible brands. */
function readBrands(bytes: Buffer): string[] {
  if (bytes.length < 16 || readText(bytes, 4) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 4 * MAX_BRANDS);
  const brands = [readText(bytes, 8)];
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(readText(bytes, offset));
  return brands;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function readText(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + 4);
}
