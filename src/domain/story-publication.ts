import { Failure, type FailureCode } from './failures.ts';
import type { ShownAs, StoryStatus } from './profile.ts';

/** The stories that editors tell themselves (decisions §5). */
export type ToldKind = 'awardee' | 'installer';

/** What a story is published with, by the name of the field that gives it. */
export type PublicationNeed = 'file' | 'consent';

type Readiness = { readonly hasPhoto: boolean; readonly hasConsent: boolean };

/** What a story still lacks to be published: a photo, and for an awardee's the recorded consent (decisions §5). */
export function missingForPublication(kind: ToldKind, { hasPhoto, hasConsent }: Readiness): PublicationNeed[] {
  const needs: PublicationNeed[] = [];
  if (!hasPhoto) needs.push('file');
  if (kind === 'awardee' && !hasConsent) needs.push('consent');
  return needs;
}

const REFUSALS: Readonly<Record<PublicationNeed, FailureCode>> = { file: 'story-without-photo', consent: 'no-consent' };

/** Why a story that lacks this is not published. */
export function needFailure(need: PublicationNeed): Failure {
  return new Failure(REFUSALS[need]);
}

/**
 * The status of a story once it is saved. A published one whose consent was revoked is hidden, unless its editor says
 * what else becomes of it.
 * @param wanted what the editor says; nothing where it is to stay as it is
 */
export function statusAfterSave(
  before: StoryStatus,
  { wanted, missing }: { readonly wanted: StoryStatus | undefined; readonly missing: readonly PublicationNeed[] },
): StoryStatus {
  if (wanted !== undefined) return wanted;
  return before === 'published' && missing.includes('consent') ? 'hidden' : before;
}

/** How an offsetter that may be shown stands with the editors: it waits for them, or is decided. */
export type ReviewStanding = 'waiting' | 'published' | 'hidden';

/** Nothing for one who asked not to be shown: there is nothing to decide (decisions §5). */
export function reviewStanding(story: {
  readonly status: StoryStatus;
  readonly shownAs: ShownAs;
}): ReviewStanding | undefined {
  if (story.shownAs === 'none') return undefined;
  return story.status === 'draft' ? 'waiting' : story.status;
}
