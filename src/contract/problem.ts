import type { FailureCode } from '#domain/failures.ts';
import { API_BASE } from './calls.ts';

/** Content type of every error response (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

export type Problem = {
  /** URL of the code's explanation. */
  readonly type: string;
  /** Title of the code, the same for each occurrence. */
  readonly title: string;
  readonly status: number;
  /** A sentence for the user about this error. */
  readonly detail: string;
  /** Code from the catalog in domain/failures. */
  readonly code: FailureCode;
  /** Path of the invalid field, such as "email" or "cart.1.cost". */
  readonly field?: string;
  /** Data that the caller needs to continue, such as the newer text for `text-changed` and `story-changed`. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** Identifies the request in the log. */
  readonly requestId: string;
};

/** The API's documentation, with a section for each code. */
export const DOCS_PATH = `${API_BASE}/docs`;

export function getProblemType(code: FailureCode): string {
  return `${DOCS_PATH}#${code}`;
}

/** "Cart below minimum" for 'cart-below-minimum'. */
export function formatProblemTitle(code: FailureCode): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
