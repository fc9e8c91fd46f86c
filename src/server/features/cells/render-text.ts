import { type CellRef, cellFailure } from '#domain/cells.ts';
import type { Failure } from '#domain/failures.ts';
import { markdownFailure } from './markdown-failure.ts';
import { renderMarkdown } from './render-markdown.ts';

/**
 * A text as visitors see it.
 * @returns Failure text-empty, text-too-long, tag-too-long, text-too-nested, text-too-many-items,
 * text-too-many-marks
 */
export function renderText(key: CellRef, markdown: string): string | Failure {
  return cellFailure(key, markdown) ?? markdownFailure(markdown) ?? renderMarkdown(markdown);
}
