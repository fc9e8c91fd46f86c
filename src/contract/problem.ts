import type { FailureCode } from '#domain/failures.ts';

/** The content type of every refused call (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** What a refused call answers. */
export type Problem = {
  readonly type: 'about:blank';
  readonly status: number;
  /** Stable, of the one catalogue in domain/failures. */
  readonly code: FailureCode;
  /** A sentence for a person. */
  readonly title: string;
  /** The field that it is about, where it is about one. */
  readonly field?: string;
  /** What one can go on with, where the code brings something: of `text-changed` and `story-changed` the newer text. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** To be quoted to whoever reads the log. */
  readonly requestId: string;
};
