import type { Problem } from '#contract/problem.ts';
import { type FailureCode, getFailureSentence, type ResponseDetail } from '#domain/failures.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';

/** A problem document from the API (decisions §6). Its message is user-facing. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: FailureCode;
  /** The invalid field, if the problem is about one. */
  readonly field: string | undefined;
  readonly details: NonNullable<Problem['details']>;
  /** Identifies the request in the server's log; empty if the response came from a proxy. */
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

  /** Returns the details if the failure has this code. */
  getDetails<Code extends FailureCode>(
    code: Code,
  ): Readonly<Record<ResponseDetail<Code>, string | number>> | undefined {
    return this.code === code ? this.details : undefined;
  }
}

/** A network failure, with §8's message. */
export class OfflineError extends Error {
  constructor(cause?: unknown) {
    super(getFailureSentence('offline'), { cause });
    this.name = 'OfflineError';
  }
}

/** Logs a network failure (§8). @returns the error to throw */
export function reportNetworkFailure(cause?: unknown): OfflineError {
  console.info('Network request failed.', cause);
  return new OfflineError(cause);
}

/** Logs a network failure, and throws it as an OfflineError (§8). */
export async function withOfflineError<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : reportNetworkFailure(error);
  }
}

/** @param content a problem document; anything else comes from a proxy and becomes a server error */
export function toApiProblem(status: number, content: string): ApiProblem {
  const problem = parseJson(content);
  if (isProblem(problem)) return new ApiProblem({ ...problem, status });
  return new ApiProblem({ status, code: 'server-error', detail: getFailureSentence('server-error'), requestId: '' });
}

function isProblem(value: unknown): value is Problem {
  return isRecord(value) && typeof value.code === 'string' && typeof value.detail === 'string';
}
