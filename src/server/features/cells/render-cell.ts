import type { Answer } from '#contract/schemas.ts';
import { type CellRef, cellFailure, isCell, tidyCell } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { renderMarkdown } from './markdown.ts';
import { markdownFailure } from './markdown-limits.ts';

/**
 * A cell's text as HTML.
 * @returns Failure text-empty, text-too-long, tag-too-long, text-too-nested, text-too-many-items,
 * text-too-many-marks
 */
export function renderCell(key: CellRef, markdown: string): string | Failure {
  return cellFailure(key, markdown) ?? markdownFailure(markdown) ?? renderMarkdown(markdown);
}

/** A picture on another site: this site's addresses begin with a slash. */
const EXTERNAL_PICTURE = /<img [^>]*src="https?:/;

/** What saving this text would show. @returns Failure no-cell, or for an invalid text */
export function previewCell(key: CellRef, typed: string): Answer<'previewCell'> | Failure {
  if (!isCell(key)) return new Failure('no-cell');
  const html = renderCell(key, tidyCell(key, typed));
  return html instanceof Failure ? html : { html, hasForeignPictures: EXTERNAL_PICTURE.test(html) };
}
