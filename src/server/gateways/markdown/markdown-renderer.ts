import type { Failure } from '#domain/failures.ts';

/** Renders user-written Markdown. Extreme input delays only its author. */
export type MarkdownRenderer = {
  /**
   * Renders Markdown as sanitized HTML.
   * @param authorId id of the author, whose requests are handled one after another
   * @returns Failure too-many-requests, text-not-rendered, or one of renderUserMarkdown's
   */
  render(markdown: string, authorId: string): Promise<string | Failure>;
};
