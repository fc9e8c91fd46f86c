import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Text in a photo's metadata that must be removed. */
export const METADATA_MARKERS = ['Exif', 'GPS', 'Marked photographer', 'xmpmeta', 'ICC_PROFILE', 'Display P3'];

const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><GPSLatitude>42,26.5N</GPSLatitude></x:xmpmeta>';

/**
 * A portrait JPEG as taken by a phone: 4000 × 3000 pixels with orientation 6, a location, the photographer, and a color
 * profile.
 * @param width a smaller width, because 4000 pixels take a second to encode
 */
export async function createPhonePhoto(width = 4000): Promise<Buffer> {
  const height = (width * 3) / 4;
  const leftEdge = (width * 5) / 8;
  const sky = { width, height, channels: 3, background: '#4a7ab5' } as const;
  const ground = { create: { width: width - leftEdge, height, channels: 3, background: '#3c7a3f' } } as const;
  return await sharp({ create: sky })
    .composite([{ input: ground, left: leftEdge, top: 0 }])
    .withIccProfile('p3')
    .withExif({
      IFD0: { Artist: 'Marked photographer', Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '42/1 26/1 3012/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '76/1 30/1 0/1',
      },
    })
    .withXmp(XMP)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A single-color picture for the caller to encode. */
export function createPlainPhoto(width: number, height: number, background = '#4a7ab5'): Sharp {
  return sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } });
}

/** A picture that compresses poorly, for a long file without repetition. */
export function createNoisyPhoto(width: number, height: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } });
}

/** The corner colors of the four-color picture below when it's upright. */
export const UPRIGHT_CORNERS = { topLeft: 'red', topRight: 'green', bottomLeft: 'blue', bottomRight: 'white' };
const CORNER_COLORS = {
  red: [220, 20, 20],
  green: [20, 160, 20],
  blue: [20, 20, 220],
  white: [240, 240, 240],
} as const;

/** The name of the corner color nearest to a pixel's. */
export function findCornerColor(pixel: readonly number[]): string {
  const distance = (color: readonly number[]) =>
    color.reduce((sum, part, i) => sum + Math.abs(part - (pixel[i] ?? 0)), 0);
  const [nearest] = Object.entries(CORNER_COLORS).sort(([, a], [, b]) => distance(a) - distance(b));
  return nearest?.[0] ?? '';
}

/** For each EXIF orientation, where the pixel (x, y) of an upright w × h picture is stored. */
const STORED_POSITIONS: Record<number, (x: number, y: number, w: number, h: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y, w) => [w - 1 - x, y],
  3: (x, y, w, h) => [w - 1 - x, h - 1 - y],
  4: (x, y, _w, h) => [x, h - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, w) => [y, w - 1 - x],
  7: (x, y, w, h) => [h - 1 - y, w - 1 - x],
  8: (x, y, _w, h) => [h - 1 - y, x],
};

/** A picture with four colored quarters, 400 × 300 when upright, stored in one of the eight EXIF orientations. */
export function createFourColorPhoto(orientation: number): Sharp {
  const [w, h] = [400, 300];
  const isSideways = orientation >= 5;
  const [width, height] = isSideways ? [h, w] : [w, h];
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const row = y < h / 2 ? (['red', 'green'] as const) : (['blue', 'white'] as const);
      const color = CORNER_COLORS[x < w / 2 ? row[0] : row[1]];
      const [storedX, storedY] = STORED_POSITIONS[orientation]?.(x, y, w, h) ?? [0, 0];
      data.set(color, (storedY * width + storedX) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } }).withMetadata({ orientation });
}

/** A black PNG of any size in a few bytes. Built manually because a library would allocate all pixels. */
export function createPngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 });
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', rows),
    createPngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function createPngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** An AVIF with a false size in its header. */
export function fakeAvifSize(avif: Buffer, width: number, height: number): Buffer {
  const largerAvif = Buffer.from(avif);
  const box = largerAvif.indexOf('ispe', 0, 'latin1');
  largerAvif.writeUInt32BE(width, box + 8);
  largerAvif.writeUInt32BE(height, box + 12);
  return largerAvif;
}

/** A PNG with a false size in its header and a valid header checksum. */
export function fakePngSize(png: Buffer, width: number, height: number): Buffer {
  const largerPng = Buffer.from(png);
  largerPng.writeUInt32BE(width, 16);
  largerPng.writeUInt32BE(height, 20);
  largerPng.writeUInt32BE(crc32(largerPng.subarray(12, 29)), 29);
  return largerPng;
}

/** A JPEG with a false size in its header. */
export function fakeJpegSize(jpeg: Buffer, width: number, height: number): Buffer {
  const largerJpeg = Buffer.from(jpeg);
  const frame = largerJpeg.indexOf(Buffer.from([0xff, 0xc0]));
  largerJpeg.writeUInt16BE(height, frame + 5);
  largerJpeg.writeUInt16BE(width, frame + 7);
  return largerJpeg;
}

/** The chunk names of a WebP file: VP8 and VP8L are pixels, ALPH is transparency, and all others are metadata. */
export function listWebpChunks(webp: Buffer): string[] {
  const chunkNames: string[] = [];
  for (let offset = 12; offset + 8 <= webp.length; ) {
    chunkNames.push(webp.toString('latin1', offset, offset + 4).trim());
    const length = webp.readUInt32LE(offset + 4);
    offset += 8 + length + (length % 2);
  }
  return chunkNames;
}
