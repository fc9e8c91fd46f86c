import { type FailureCode, sentenceOf } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from './api-error.ts';

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
