import sharp, { type Raw } from 'sharp';
import { Failure } from '#domain/failures.ts';
import { PHOTO_MEGAPIXELS } from '#domain/profile.ts';
import type { PhotoSize } from './photo-header.ts';

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
