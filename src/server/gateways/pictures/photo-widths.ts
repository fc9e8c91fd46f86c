import type { PhotoSize } from './photo-header.ts';

/** The widths in pixels that a photo is kept in: a card on a phone, a card on a sharp screen, a whole page. */
const WIDTHS: readonly number[] = [320, 640, 1280];
/** WebP ends at 16,383 pixels; a page has no use for a strip much taller than this. */
const MOST_HEIGHT = 4096;

/** The sizes that a photo is kept in, ascending, and the last of them. */
export type PhotoSizes = { readonly all: readonly PhotoSize[]; readonly widest: PhotoSize };

/** A photo is never enlarged; one narrower than the least width keeps its own. */
export function sizesOf(photo: PhotoSize): PhotoSizes {
  const limit = Math.min(photo.width, Math.max(1, Math.floor((photo.width * MOST_HEIGHT) / photo.height)));
  const widths = WIDTHS.filter((width) => width <= limit);
  const widest = sizeAt(photo, widths.at(-1) ?? limit);
  return { all: [...widths.slice(0, -1).map((width) => sizeAt(photo, width)), widest], widest };
}

function sizeAt(photo: PhotoSize, width: number): PhotoSize {
  const height = Math.round((photo.height * width) / photo.width);
  return { width, height: Math.min(Math.max(1, height), MOST_HEIGHT) };
}
