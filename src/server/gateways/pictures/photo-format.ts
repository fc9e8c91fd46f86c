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
