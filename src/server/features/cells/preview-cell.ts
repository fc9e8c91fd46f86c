import type { Answer } from '#contract/schemas.ts';
import { type CellRef, isCell, tidyCell } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { renderText } from './render-text.ts';

/** An address of another site; those of this one begin with a slash. */
const FOREIGN_PICTURE = /<img [^>]*src="https?:/;

/** What saving this text would show. @returns Failure no-cell, or what is wrong with the text */
export function previewCell(key: CellRef, typed: string): Answer<'previewCell'> | Failure {
  if (!isCell(key)) return new Failure('no-cell');
  const html = renderText(key, tidyCell(key, typed));
  return html instanceof Failure ? html : { html, hasForeignPictures: FOREIGN_PICTURE.test(html) };
}
