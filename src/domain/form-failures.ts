import { m } from '#messages';
import { type DetailsOf, Failure, type FailureDefinition } from './failures.ts';

/** Failures of signed-in pages, editors' forms, logins, and passwords. Visitors' pages don't load them. */
export const FORM_FAILURES = {
  'refund-too-much': { status: 422, sentence: m.failRefundTooMuch },
  'no-reason': { status: 422, sentence: m.failNoReason },
  'reason-too-long': { status: 422, sentence: m.failReasonTooLong },
  'no-note': { status: 422, sentence: m.failNoNote },
  'note-too-short': { status: 422, sentence: m.failNoteTooShort },
  'note-too-long': { status: 422, sentence: m.failNoteTooLong },
  'postal-address-too-long': { status: 422, sentence: m.failPostalAddressTooLong },
  'check-number-too-long': { status: 422, sentence: m.failCheckNumberTooLong },
  'day-invalid': { status: 422, sentence: m.failDayInvalid },
  'day-in-future': { status: 422, sentence: m.failDayToCome },
  'day-too-long-ago': { status: 422, sentence: m.failDayTooLongAgo },
  'days-out-of-order': { status: 422, sentence: m.failDaysBackwards },
  'password-too-short': { status: 422, sentence: m.failPasswordTooShort },
  'password-too-long': { status: 422, sentence: m.failPasswordTooLong },
  'password-too-common': { status: 422, sentence: m.failPasswordTooCommon },
  'password-is-email': { status: 422, sentence: m.failPasswordIsAddress },
  'reset-email-failed': { status: 422, sentence: m.failResetMailFailed },
  forbidden: { status: 403, sentence: m.failForbidden },
  'authorization-failed': { status: 422, sentence: m.failAuthorizationFailed },
  'claims-failed': { status: 422, sentence: m.failClaimsFailed },
  'story-without-photo': { status: 422, sentence: m.failStoryWithoutPhoto },
  'no-consent': { status: 422, sentence: m.failNoConsent },
  'no-slug': { status: 422, sentence: m.failNoSlug },
  'slug-invalid': { status: 422, sentence: m.failSlugInvalid },
  'slug-reserved': { status: 422, sentence: m.failSlugReserved },
  'no-tag': { status: 422, sentence: m.failNoTag },
  'tag-too-long': { status: 422, sentence: m.failTagTooLong },
  'place-too-long': { status: 422, sentence: m.failPlaceTooLong },
  'text-empty': { status: 422, sentence: m.failTextEmpty },
  'text-too-long': { status: 422, sentence: m.failTextTooLong },
} as const satisfies Record<string, FailureDefinition>;

export function formFailure<Code extends keyof typeof FORM_FAILURES>(code: Code, details?: DetailsOf<Code>): Failure {
  return new Failure(code, details, FORM_FAILURES[code]);
}
