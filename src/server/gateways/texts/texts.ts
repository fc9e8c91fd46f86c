import type { Failure } from '#domain/failures.ts';

/** Renders user-written Markdown. An extreme text affects only its writer. */
export type Texts = {
  /**
   * Renders a text as sanitized HTML.
   * @param writer id of the writer, whose texts are rendered one after another
   * @returns Failure too-many-requests, text-too-slow, or one of renderText's
   */
  render(markdown: string, writer: string): Promise<string | Failure>;
};
