import path from 'node:path';
import sharp, { type OverlayOptions, type Raw } from 'sharp';
import { cutText } from '#domain/cut-text.ts';

/** The typefaces of the cards, by the names that are written in their files. */
export const CARD_FACES = {
  title: { family: 'Bricolage Grotesque 96pt ExtraBold', file: 'title' },
  text: { family: 'Figtree Light', file: 'text' },
} as const;

/** How a text is set: its face, its size in pixels, its colour, and how wide it may be. */
export type TextStyle = {
  readonly face: keyof typeof CARD_FACES;
  readonly size: number;
  readonly color: string;
  readonly width: number;
};

/** A text set into pixels. */
export type TextBlock = { readonly input: Buffer; readonly raw: Raw; readonly width: number; readonly height: number };

/** Sets texts in the typefaces of a folder. */
export type Typesetter = (text: string, style: TextStyle) => Promise<TextBlock>;

export function typesetter(folder: string): Typesetter {
  let known: Promise<void> | undefined;
  return async (text, style) => {
    // The library keeps each file that it has read, and looks for a letter in all of a family's: the second of each
    // typeface, with the rarer letters, is made known first.
    known ??= knowRareLetters(folder);
    await known;
    return setText(folder, text, style);
  };
}

async function knowRareLetters(folder: string): Promise<void> {
  for (const face of ['title', 'text'] as const) {
    await setText(folder, 'Ł', { face, size: 10, color: '#fff', width: 100 }, '-ext');
  }
}

async function setText(
  folder: string,
  text: string,
  { face, size, color, width }: TextStyle,
  part: '' | '-ext' = '',
): Promise<TextBlock> {
  const { family, file } = CARD_FACES[face];
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escaped(text)}</span>`,
      // The comma ends the family, whose last word would be read as a weight.
      font: `${family}, ${size}px`,
      fontfile: path.resolve(folder, `${file}${part}.ttf`),
      width,
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: wide, height, channels } = info;
  return { input: data, raw: { width: wide, height, channels }, width: wide, height };
}

/** What the library would read as markup. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

export type Fit = { readonly sizes: readonly number[]; readonly height: number };

/** A text in the largest of some sizes at which it is not higher than it may be; at the last one it is cut until it fits. */
export async function fitted(
  set: Typesetter,
  text: string,
  style: Omit<TextStyle, 'size'>,
  { sizes, height }: Fit,
): Promise<TextBlock | undefined> {
  if (text === '') return undefined;
  for (const size of sizes) {
    const block = await set(text, { ...style, size });
    if (block.height <= height) return block;
  }
  const size = sizes.at(-1) ?? 0;
  for (let length = text.length; length > SHORTEST; length = Math.floor(length * 0.85)) {
    const block = await set(cutText(text, length), { ...style, size });
    if (block.height <= height) return block;
  }
  return undefined;
}

/** In characters: what is shorter says nothing. */
const SHORTEST = 8;

export function placed({ input, raw }: TextBlock, left: number, top: number): OverlayOptions {
  return { input, raw, left: Math.round(left), top: Math.round(top) };
}
