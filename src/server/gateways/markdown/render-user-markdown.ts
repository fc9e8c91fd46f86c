import { MAX_HTML_LENGTH } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { renderMarkdown } from './markdown.ts';
import { markdownFailure } from './markdown-limits.ts';

/**
 * Renders user-written Markdown as sanitized HTML.
 * @returns Failure text-too-many-lines, text-too-nested, text-too-many-items, text-too-many-marks, text-too-many-cells,
 * html-too-long
 */
export function renderUserMarkdown(markdown: string): string | Failure {
  const failure = markdownFailure(markdown);
  if (failure) return failure;
  const html = renderMarkdown(markdown);
  return html.length > MAX_HTML_LENGTH ? new Failure('html-too-long') : html;
}
