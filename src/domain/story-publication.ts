import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import type { ShownAs, StoryStatus } from './profile.ts';

/** The stories that editors write (decisions §5). */
export type EditorialKind = 'awardee' | 'installer';

/** What a story needs to be published, by the name of its form field. */
export type PublicationNeed = 'file' | 'consent';

type Readiness = { readonly hasPhoto: boolean; readonly hasConsent: boolean };

/** What a story lacks to be published: a photo, and for an awardee the recorded consent (decisions §5). */
export function missingForPublication(kind: EditorialKind, { hasPhoto, hasConsent }: Readiness): PublicationNeed[] {
  const needs: PublicationNeed[] = [];
  if (!hasPhoto) needs.push('file');
  if (kind === 'awardee' && !hasConsent) needs.push('consent');
  return needs;
}

const REFUSALS = {
  file: 'story-without-photo',
  consent: 'no-consent',
} as const satisfies Readonly<Record<PublicationNeed, unknown>>;

export function publicationFailure(need: PublicationNeed): Failure {
  return formFailure(REFUSALS[need]);
}

/** A story's status after a save. A published story whose consent was revoked is hidden, unless the editor chose a status. */
export function statusAfterSave(
  before: StoryStatus,
  { requested, missing }: { readonly requested: StoryStatus | undefined; readonly missing: readonly PublicationNeed[] },
): StoryStatus {
  if (requested !== undefined) return requested;
  return before === 'published' && missing.includes('consent') ? 'hidden' : before;
}

/** What editors have decided about an offsetter, if anything yet. */
export type ReviewState = 'waiting' | 'published' | 'hidden';

/** Undefined for someone who asked not to be shown: there is nothing to decide (decisions §5). */
export function reviewState(story: {
  readonly status: StoryStatus;
  readonly shownAs: ShownAs;
}): ReviewState | undefined {
  if (story.shownAs === 'none') return undefined;
  return story.status === 'draft' ? 'waiting' : story.status;
}
