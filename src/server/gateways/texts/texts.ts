import type { Failure } from '#domain/failures.ts';

/** Renders markdown that people write, so that an extreme text harms nobody but its writer. */
export type Texts = {
  /**
   * Sanitized HTML.
   * @param writer whose texts are rendered one after another
   * @returns Failure too-many-requests, text-too-slow, or one of renderText's
   */
  render(markdown: string, writer: string): Promise<string | Failure>;
};
