import { type FailureCode, sentenceOf } from '#domain/failures.ts';
import { m } from '#messages';
import { ApiProblem, OfflineError } from './api-error.ts';

export type Refusal<Field extends string = string> = { readonly field: Field | undefined; readonly message: string };

const ABOUT_THE_PHOTO: readonly FailureCode[] = [
  'no-file',
  'no-img',
  'photo-too-large',
  'photo-format',
  'photo-unreadable',
  'photo-too-many-pixels',
  'photo-too-long',
];

const TOO_LARGE = 413;

/** With these the server has done nothing; a profile that it saved in its last moment it answers when that is sent again. */
const NOTHING_DONE: readonly FailureCode[] = ['photo-not-kept', 'too-busy', 'out-of-order'];

/**
 * The message for a form that was refused with a 4xx, or for which there is no room just now: it stays open. Nothing for
 * any other failure, after which the form may have arrived or not.
 * @param fields the names of the form's fields; a photo's is `file` (§7)
 */
export function refusalOf<Field extends string>(error: unknown, fields: readonly Field[]): Refusal<Field> | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { field, code, status, message } = error;
  if (status < 400 || (status >= 500 && !NOTHING_DONE.includes(code))) return undefined;
  const named = fields.find((known) => known === field);
  if (named !== undefined) return { field: named, message };
  const file = fields.find((known) => known === 'file');
  if (ABOUT_THE_PHOTO.includes(code)) return { field: file, message };
  // A proxy's answer. Only a photo can make the form too large.
  if (status === TOO_LARGE) return { field: file, message: sentenceOf('photo-too-large') };
  return { field: undefined, message };
}

export function failedSentence(error: unknown): string {
  if (error instanceof OfflineError) return m.serverUnreachable();
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}
