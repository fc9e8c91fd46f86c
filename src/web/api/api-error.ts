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

/** Why a form was not taken, and the field that has to be mended where it is one's fault. */
export type Refusal<Field extends string = string> = { readonly field: Field | undefined; readonly message: string };

const ABOUT_THE_PHOTO: readonly FailureCode[] = [
  'no-file',
  'no-img',
  'photo-too-large',
  'photo-format',
  'photo-unreadable',
  'photo-too-many-pixels',
];

const TOO_LARGE = 413;

/**
 * What to say beside a form that was refused with a 4xx, which keeps it and all that was typed. Nothing for any other
 * failure, after which nobody knows whether it arrived.
 * @param fields the names of the form's fields; a photo's is `file` (§7)
 */
export function refusalOf<Field extends string>(error: unknown, fields: readonly Field[]): Refusal<Field> | undefined {
  if (!(error instanceof ApiProblem) || error.status < 400 || error.status >= 500) return undefined;
  const { field, code, status, message } = error;
  const named = fields.find((known) => known === field);
  if (named !== undefined) return { field: named, message };
  const file = fields.find((known) => known === 'file');
  if (ABOUT_THE_PHOTO.includes(code)) return { field: file, message };
  // Said by a proxy that stands before the program: only a photo can make the form too large.
  if (status === TOO_LARGE) return { field: file, message: sentenceOf('photo-too-large') };
  return { field: undefined, message };
}

/** What a person is told of a change that failed: the refusal's own words, or that it can be tried again. */
export function failedSentence(error: unknown): string {
  if (error instanceof OfflineError) return 'We cannot be reached. Please check your connection and try again.';
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}
