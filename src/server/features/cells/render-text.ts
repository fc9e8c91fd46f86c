import type { Failure } from '#domain/failures.ts';
import { type TextKey, textFailure } from '#domain/texts.ts';
import { markdownFailure } from './markdown-failure.ts';
import { renderMarkdown } from './render-markdown.ts';

/**
 * A text as visitors see it.
 * @returns Failure text-empty, text-too-long, tag-too-long, text-too-nested, text-too-many-items,
 * text-too-many-marks
 */
export function renderText(key: TextKey, markdown: string): string | Failure {
  return textFailure(key, markdown) ?? markdownFailure(markdown) ?? renderMarkdown(markdown);
}
