import type { FailureCode } from '#domain/failures.ts';
import { profileFailure } from '#domain/profile-failures.ts';
import { ApiProblem } from '#web/api/api-error.ts';

export type FormError<Field extends string = string> = { readonly field: Field | undefined; readonly message: string };

const PHOTO_FAILURES: readonly FailureCode[] = [
  'no-file',
  'no-img',
  'photo-too-large',
  'photo-format',
  'photo-unreadable',
  'photo-too-many-pixels',
  'photo-too-long',
];

const PAYLOAD_TOO_LARGE = 413;

/** Failures after which the form can be sent again. If the profile was saved anyway, resending it returns that profile. */
const RETRYABLE_FAILURES: readonly FailureCode[] = ['photo-not-stored', 'too-busy', 'database-unavailable'];

/**
 * The message for a form that was rejected with a 4xx or because the server is busy: the form stays open. Undefined for
 * any other failure, after which the form may or may not have arrived.
 * @param fields the names of the form's fields; a photo's is `file` (§7)
 */
export function toFormError<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): FormError<Field> | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { field, code, status, message } = error;
  if (status < 400 || (status >= 500 && !RETRYABLE_FAILURES.includes(code))) return undefined;
  const invalidField = fields.find((name) => name === field);
  if (invalidField !== undefined) return { field: invalidField, message };
  const file = fields.find((name) => name === 'file');
  if (PHOTO_FAILURES.includes(code)) return { field: file, message };
  // A proxy rejected the form. Only a photo can make it too large.
  if (status === PAYLOAD_TOO_LARGE) return { field: file, message: profileFailure('photo-too-large').message };
  return { field: undefined, message };
}
