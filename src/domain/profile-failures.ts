import { m } from '#messages';
import { type DetailsOf, Failure, type FailureDefinition } from './failures.ts';

/** Failures of profiles: addresses, names, stories, and photos (§5, §8). */
export const PROFILE_FAILURES = {
  'no-email': { status: 422, sentence: m.failNoEmail },
  'invalid-email': { status: 422, sentence: m.failInvalidEmail },
  'no-img': { status: 422, sentence: m.failNoFile },
  'no-name': { status: 422, sentence: m.failNoName },
  'no-story': { status: 422, sentence: m.failNoStory },
  'name-too-short': { status: 422, sentence: m.failNameTooShort },
  'name-too-long': { status: 422, sentence: m.failNameTooLong },
  'story-too-short': { status: 422, sentence: m.failStoryTooShort },
  'story-too-long': { status: 422, sentence: m.failStoryTooLong },
  'photo-too-large': { status: 413, sentence: m.failPhotoTooLarge },
  'photo-format': { status: 415, sentence: m.failPhotoFormat },
  'profile-upload-failed': { status: 422, sentence: m.failProfileUploadFailed },
} as const satisfies Record<string, FailureDefinition>;

export function profileFailure<Code extends keyof typeof PROFILE_FAILURES>(
  code: Code,
  details?: DetailsOf<Code>,
): Failure {
  return new Failure(code, details, PROFILE_FAILURES[code]);
}
