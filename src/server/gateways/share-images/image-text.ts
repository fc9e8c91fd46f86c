import path from 'node:path';
import type { OverlayOptions, Raw } from 'sharp';
import { joinLines, truncateText } from '#domain/truncate-text.ts';
import { loadSafeSharp } from '#server/gateways/pictures/safe-sharp.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';

/** Family names inside the font files. */
export const FONTS = {
  title: { family: 'Bricolage Grotesque 96pt ExtraBold', file: 'title' },
  text: { family: 'Figtree Light', file: 'text' },
} as const;

/** Size and maximum width in pixels. */
export type TextStyle = {
  readonly face: keyof typeof FONTS;
  readonly size: number;
  readonly color: string;
  readonly width: number;
};

export type TextBlock = { readonly input: Buffer; readonly raw: Raw; readonly width: number; readonly height: number };

/** Renders text with the fonts of a folder. */
export type TextRenderer = (text: string, style: TextStyle) => Promise<TextBlock>;

export function createTextRenderer(folder: string): TextRenderer {
  // The library finds a glyph in every font file that it has loaded, so the files with rare letters are loaded first.
  const loadRareLetters = cacheOnSuccess(() => loadExtendedFonts(folder));
  return async (text, style) => {
    await loadRareLetters();
    return renderText(folder, text, style);
  };
}

async function loadExtendedFonts(folder: string): Promise<void> {
  for (const face of ['title', 'text'] as const) {
    await renderText(folder, 'Ł', { face, size: 10, color: '#fff', width: 100 }, '-ext');
  }
}

async function renderText(
  folder: string,
  text: string,
  { face, size, color, width }: TextStyle,
  suffix: '' | '-ext' = '',
): Promise<TextBlock> {
  const { family, file } = FONTS[face];
  const sharp = await loadSafeSharp();
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(text)}</span>`,
      // The comma prevents Pango from reading the family's last word as a weight.
      font: `${family}, ${size}px`,
      fontfile: path.resolve(folder, `${file}${suffix}.ttf`),
      width,
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    input: data,
    raw: { width: info.width, height: info.height, channels: info.channels },
    width: info.width,
    height: info.height,
  };
}

/** Escapes Pango markup. */
function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

export type Fit = { readonly sizes: readonly number[]; readonly height: number };

/** Renders text in the largest size that fits the height. At the smallest size, cuts the text until it fits. */
export async function fitText(
  render: TextRenderer,
  text: string,
  style: Omit<TextStyle, 'size'>,
  { sizes, height }: Fit,
): Promise<TextBlock | undefined> {
  if (text === '') return undefined;
  for (const size of sizes) {
    const block = await render(text, { ...style, size });
    if (block.height <= height) return block;
  }
  const size = sizes.at(-1) ?? 0;
  for (let length = text.length; length > MIN_CUT_LENGTH; length = Math.floor(length * 0.85)) {
    const block = await render(truncateText(text, length), { ...style, size });
    if (block.height <= height) return block;
  }
  return undefined;
}

/** Characters. */
const MIN_CUT_LENGTH = 8;

export function placeBlock({ input, raw }: TextBlock, left: number, top: number): OverlayOptions {
  return { input, raw, left: Math.round(left), top: Math.round(top) };
}

/**
 * Returns the text on one line, without unsupported symbols such as emoji. Returns an empty string if a letter or digit is
 * unsupported, because half a name is worse than none.
 * @param letters all characters of the font
 */
export function toPrintableText(text: string, letters: ReadonlySet<string>): string {
  const characters = Array.from(joinLines(text.normalize('NFC')));
  const unsupportedCharacters = characters.filter((character) => !letters.has(character));
  if (unsupportedCharacters.some((character) => /[\p{L}\p{N}\p{M}]/u.test(character))) return '';
  return joinLines(characters.filter((character) => letters.has(character)).join(''));
}
