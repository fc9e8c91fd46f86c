import { resolveAppPath } from '#server/process/app-path.ts';

const SHARE_IMAGE_ASSETS = resolveAppPath('src/server/gateways/share-images/assets');
const NOTO_FOLDER = resolveAppPath('src/server/gateways/pdf/assets');

/** Figtree and Bricolage Grotesque, with Noto Sans for missing letters. All have the SIL Open Font License. */
const FONTS = {
  text: `${SHARE_IMAGE_ASSETS}/text.ttf`,
  'text-ext': `${SHARE_IMAGE_ASSETS}/text-ext.ttf`,
  title: `${SHARE_IMAGE_ASSETS}/title.ttf`,
  'title-ext': `${SHARE_IMAGE_ASSETS}/title-ext.ttf`,
  cyrillic: `${NOTO_FOLDER}/cyrillic.woff`,
  'cyrillic-ext': `${NOTO_FOLDER}/cyrillic-ext.woff`,
  greek: `${NOTO_FOLDER}/greek.woff`,
  vietnamese: `${NOTO_FOLDER}/vietnamese.woff`,
} as const;

type FontFile = keyof typeof FONTS;
export type FontName = 'text' | 'title';

const BASIC_LETTERS =
  /[\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff\u0131\u0152\u0153\u02c6\u02da\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u2044\u20ac\u2122\u2212]/;
const EXTENDED_LETTERS =
  /[\u0100-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0123\u0126\u0127\u012a\u012b\u012e-\u0130\u0132\u0133\u0136\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150\u0151\u0154-\u015b\u015e-\u0161\u0164\u0165\u016a-\u017e\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ef2\u1ef3]/;

const OTHER_LETTERS: readonly (readonly [letters: RegExp, font: FontFile])[] = [
  [/[\u0301\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/, 'cyrillic'],
  [/[\u0460-\u048f\u0492-\u04af\u04b2-\u052f]/, 'cyrillic-ext'],
  [/[\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03e1\u03f0-\u03ff]/, 'greek'],
  [/[\u0128\u0129\u0168\u0169\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/, 'vietnamese'],
];

type OpenFont = readonly [name: string, font: Buffer];
let cachedFonts: readonly OpenFont[] | undefined;

/** Opens the fonts once, because opening them takes longer than rendering a PDF. */
export async function openFonts(): Promise<readonly OpenFont[]> {
  const { openSync } = await import('fontkit');
  // pdfkit accepts an opened font, although its types don't include one.
  cachedFonts ??= Object.entries(FONTS).map(([name, file]) => [name, openSync(file) as unknown as Buffer]);
  return cachedFonts;
}

export type FontRun = { readonly font: FontFile; readonly text: string };

/** Splits text into runs by font. Characters missing from every font become question marks. */
export function splitFontRuns(text: string, font: FontName): FontRun[] {
  const runs: { font: FontFile; text: string }[] = [];
  for (const letter of text.normalize('NFC')) {
    const file = findFontFile(letter, font);
    const last = runs.at(-1);
    const piece = { font: file ?? font, text: file === undefined ? '?' : letter };
    if (last?.font === piece.font) last.text += piece.text;
    else runs.push(piece);
  }
  return runs;
}

function findFontFile(letter: string, font: FontName): FontFile | undefined {
  if (BASIC_LETTERS.test(letter)) return font;
  if (EXTENDED_LETTERS.test(letter)) return `${font}-ext`;
  return OTHER_LETTERS.find(([letters]) => letters.test(letter))?.[1];
}
