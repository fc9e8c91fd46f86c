import type { Failure } from '#domain/failures.ts';

/** Renders user-written Markdown. Extreme input affects only its writer. */
export type MarkdownRenderer = {
  /**
   * Renders Markdown as sanitized HTML.
   * @param writer id of the writer, whose requests are handled one after another
   * @returns Failure too-many-requests, text-not-rendered, or one of renderUserMarkdown's
   */
  render(markdown: string, writer: string): Promise<string | Failure>;
};
