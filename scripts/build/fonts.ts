import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { withSubscriptTwo } from './subscript-two.ts';

export type Face = {
  readonly name: string;
  readonly source: string;
  /** One, or a range within which it stays variable. */
  readonly weight: number | { min: number; max: number };
};

/** The two typefaces of the house, with the weights that its styles use. */
export const FACES = {
  bricolage: {
    name: 'bricolage',
    source: 'bricolage-grotesque/files/bricolage-grotesque',
    // Headings have one weight: a second one, or a range, would double the bytes before the first letter.
    weight: 700,
  },
  figtree: { name: 'figtree', source: 'figtree/files/figtree', weight: { min: 400, max: 700 } },
} as const satisfies Record<string, Face>;

/** Latin and Latin-1, ı Œ œ, dashes, quotes, bullets, …, primes, ⁄ ₂ € ™ ↑ ↓ −: what English and its numbers are set in. */
export const latinRange =
  'U+20-7E,U+A0-FF,U+131,U+152-153,U+2C6,U+2DA,U+2DC,U+2009,U+2013-2014,U+2018-201A,U+201C-201E,U+2020-2022,' +
  'U+2026,U+2032-2033,U+2039-203A,U+2044,U+2082,U+20AC,U+2122,U+2191,U+2193,U+2212';

/** Latin Extended-A and its neighbours, for names such as Łukasz or Gökçe: fetched only by a page that has one. */
export const extendedRange = 'U+100-130,U+132-151,U+154-17F,U+218-21B,U+237,U+1E80-1E85,U+1E9E,U+1EF2-1EF3';

/**
 * Writes bricolage.woff2 and figtree.woff2 (`latinRange`) and, beside them, bricolage-ext.woff2 and
 * figtree-ext.woff2 (`extendedRange`) into `outDir`.
 */
export async function buildFonts(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  for (const face of Object.values(FACES)) {
    await writeSubset(join(outDir, `${face.name}.woff2`), await latinLetters(face), latinRange, face);
    await writeSubset(join(outDir, `${face.name}-ext.woff2`), await extendedLetters(face), extendedRange, face);
  }
}

/** The typeface with all that `latinRange` asks for: it has no ₂ of its own. */
export async function latinLetters(face: Face): Promise<Buffer> {
  const named = await subsetFont(await sourceOf(face, 'latin'), '', {
    targetFormat: 'truetype',
    keepAllGlyphs: true,
    glyphNames: true,
  });
  return withSubscriptTwo(named);
}

/** The part of the typeface that `extendedRange` is of. */
export function extendedLetters(face: Face): Promise<Buffer> {
  return sourceOf(face, 'latin-ext');
}

function sourceOf(face: Face, subset: string): Promise<Buffer> {
  const file = `@fontsource-variable/${face.source}-${subset}-wght-normal.woff2`;
  return readFile(createRequire(import.meta.url).resolve(file));
}

/** Kerning, composed accents and figures of one width; the typefaces' other features would only add bytes. */
const keepFeatures = ['kern', 'ccmp', 'mark', 'tnum'];

async function writeSubset(file: string, font: Buffer, range: string, face: Face): Promise<void> {
  const options = { targetFormat: 'woff2', variationAxes: { wght: face.weight }, keepFeatures } as const;
  await writeFile(file, await subsetFont(font, charactersOf(range), options));
}

/** The characters of a CSS unicode-range. */
export function charactersOf(range: string): string {
  return range
    .split(',')
    .flatMap((part) => {
      const [first = 0, last = first] = part
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');
}

if (import.meta.main) await buildFonts(fileURLToPath(new URL('../../build/fonts', import.meta.url)));
