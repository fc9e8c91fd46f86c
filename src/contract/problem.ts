import type { FailureCode } from '#domain/failures.ts';
import { API_BASE } from './calls.ts';

/** The content type of every refused call (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

export type Problem = {
  /** Where the code is explained. */
  readonly type: string;
  /** The same for every problem of this code. */
  readonly title: string;
  readonly status: number;
  /** A sentence for a person about what went wrong this time. */
  readonly detail: string;
  /** From the catalog in domain/failures. */
  readonly code: FailureCode;
  /** The path of the field at fault: "email", "cart.1.cost". */
  readonly field?: string;
  /** What the caller needs to continue: the newer text of `text-changed` and `story-changed`. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** To find the request in the log. */
  readonly requestId: string;
};

/** The API's own documentation, with a section for each code. */
export const DOCS_PATH = `${API_BASE}/docs`;

export function problemType(code: FailureCode): string {
  return `${DOCS_PATH}#${code}`;
}

/** "Cart below minimum" for 'cart-below-minimum'. */
export function problemTitle(code: FailureCode): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
