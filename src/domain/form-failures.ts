import { m } from '#messages';
import { Failure, type FailureDetails, type Sentence } from './failures.ts';

/** Sentences of editors' forms, logins, and passwords, which visitors' pages need not load. */
export const FORM_SENTENCES = {
  'refund-too-much': m.failRefundTooMuch,
  'no-reason': m.failNoReason,
  'reason-too-long': m.failReasonTooLong,
  'note-too-short': m.failNoteTooShort,
  'note-too-long': m.failNoteTooLong,
  'check-number-too-long': m.failCheckNumberTooLong,
  'day-invalid': m.failDayInvalid,
  'day-to-come': m.failDayToCome,
  'day-too-long-ago': m.failDayTooLongAgo,
  'days-backwards': m.failDaysBackwards,
  'password-too-short': m.failPasswordTooShort,
  'password-too-long': m.failPasswordTooLong,
  'password-too-common': m.failPasswordTooCommon,
  'password-is-address': m.failPasswordIsAddress,
  'reset-mail-failed': m.failResetMailFailed,
  'authorization-failed': m.failAuthorizationFailed,
  'claims-failed': m.failClaimsFailed,
  'story-without-photo': m.failStoryWithoutPhoto,
  'no-consent': m.failNoConsent,
  'no-slug': m.failNoSlug,
  'slug-invalid': m.failSlugInvalid,
  'slug-reserved': m.failSlugReserved,
  'no-tag': m.failNoTag,
  'tag-too-long': m.failTagTooLong,
  'text-empty': m.failTextEmpty,
  'text-too-long': m.failTextTooLong,
} as const satisfies Record<string, Sentence>;

export function formFailure(code: keyof typeof FORM_SENTENCES, details?: FailureDetails): Failure {
  return new Failure(code, details, FORM_SENTENCES[code]);
}
