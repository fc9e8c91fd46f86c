import type { Problem } from '#contract/problem.ts';
import { type FailureCode, sentenceOf } from '#domain/failures.ts';

/** What a call was refused with: the problem document of decisions §6, as an error. Its message is for a person. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: FailureCode;
  /** The field that the problem is about, where it is about one. */
  readonly field: string | undefined;
  /** What one can go on with, where the code brings something. */
  readonly details: NonNullable<Problem['details']>;
  /** To be quoted to whoever reads the log; empty when the answer did not come from the program itself. */
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

/** The network did not answer at all. The sentence is §8's. */
export class OfflineError extends Error {
  constructor(cause?: unknown) {
    super(sentenceOf('offline'), { cause });
    this.name = 'OfflineError';
  }
}

/** The error for a refused call, whatever its content: what stands between us and the program answers no documents. */
export function problemOf(status: number, content: string): ApiProblem {
  const told = parsed(content);
  if (isProblem(told)) return new ApiProblem({ ...told, status });
  return new ApiProblem({ status, code: 'server-error', detail: sentenceOf('server-error'), requestId: '' });
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isProblem(told: unknown): told is Problem {
  return (
    typeof told === 'object' &&
    told !== null &&
    'code' in told &&
    typeof told.code === 'string' &&
    'detail' in told &&
    typeof told.detail === 'string'
  );
}
