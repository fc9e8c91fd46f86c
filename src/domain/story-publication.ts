import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import type { ShownAs, StoryStatus } from './profile.ts';

/** Stories that editors write (decisions §5). */
export type EditorialKind = 'awardee' | 'installer';

/** Requirement for publishing a story, named like its form field. */
export type PublicationRequirement = 'file' | 'consent';

type Readiness = { readonly hasPhoto: boolean; readonly hasConsent: boolean };

/** Missing requirements for publishing: a photo, and for an awardee the recorded consent (decisions §5). */
export function findMissingRequirements(
  kind: EditorialKind,
  { hasPhoto, hasConsent }: Readiness,
): PublicationRequirement[] {
  const requirements: PublicationRequirement[] = [];
  if (!hasPhoto) requirements.push('file');
  if (kind === 'awardee' && !hasConsent) requirements.push('consent');
  return requirements;
}

const FAILURE_CODES = {
  file: 'story-without-photo',
  consent: 'no-consent',
} as const satisfies Readonly<Record<PublicationRequirement, unknown>>;

export function publicationFailure(requirement: PublicationRequirement): Failure {
  return formFailure(FAILURE_CODES[requirement]);
}

/** A story's status after a save. Revoking consent hides a published story, unless the editor chose a status. */
export function statusAfterSave(
  currentStatus: StoryStatus,
  {
    requestedStatus,
    missing,
  }: { readonly requestedStatus: StoryStatus | undefined; readonly missing: readonly PublicationRequirement[] },
): StoryStatus {
  if (requestedStatus !== undefined) return requestedStatus;
  return currentStatus === 'published' && missing.includes('consent') ? 'hidden' : currentStatus;
}

/** The editors' decision about an offsetter. */
export type ReviewState = 'waiting' | 'published' | 'hidden';

/** @returns undefined if the offsetter asked not to be shown, so no decision is needed (decisions §5) */
export function getReviewState(story: {
  readonly status: StoryStatus;
  readonly shownAs: ShownAs;
}): ReviewState | undefined {
  if (story.shownAs === 'none') return undefined;
  return story.status === 'draft' ? 'waiting' : story.status;
}
