import type { Problem } from '#contract/problem.ts';
import { type FailureCode, sentenceOf } from '#domain/failures.ts';

/** The problem document of a refused call (decisions §6). Its message is meant for people. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: FailureCode;
  /** The field to blame, if there is one. */
  readonly field: string | undefined;
  readonly details: NonNullable<Problem['details']>;
  /** For finding the call in the server's log; empty if the answer came from a proxy. */
  readonly requestId: string;

  constructor(problem: Omit<Problem, 'type' | 'title'>) {
    super(problem.detail);
    this.name = 'ApiProblem';
    this.status = problem.status;
    this.code = problem.code;
    this.field = problem.field;
    this.details = problem.details ?? {};
    this.requestId = problem.requestId;
  }
}

/** The network did not answer. The sentence is §8's. */
export class OfflineError extends Error {
  constructor(cause?: unknown) {
    super(sentenceOf('offline'), { cause });
    this.name = 'OfflineError';
  }
}

/** Logs a network failure (§8). @returns the error to throw */
export function networkFailure(cause?: unknown): OfflineError {
  console.info('The network failed.', cause);
  return new OfflineError(cause);
}

/** @param content a problem document; anything else comes from a proxy, and counts as a server error */
export function problemOf(status: number, content: string): ApiProblem {
  const problem = parseJson(content);
  if (isProblem(problem)) return new ApiProblem({ ...problem, status });
  return new ApiProblem({ status, code: 'server-error', detail: sentenceOf('server-error'), requestId: '' });
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string'
  );
}
