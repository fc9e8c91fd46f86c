import type { EditorialStory, StorySearch } from '#contract/schemas/editorial-stories.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { getGrantStage } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { type EditorialKind, findMissingRequirements, publicationFailure } from '#domain/story-publication.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import { hasBookedGrant } from '#server/features/grants/booked-grants.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import {
  changeEditorialStory,
  deleteEditorialRow,
  type EditorialKey,
  type EditorialRow,
  findEditorialStory,
  listEditorialStories,
  lockEditorialStory,
} from './editorial-stories.store.ts';

export const EDITORIAL_NOT_FOUND: Readonly<Record<EditorialKind, FailureCode>> = {
  awardee: 'awardee-not-found',
  installer: 'installer-not-found',
};

export async function readEditorialStories(
  db: Database,
  kind: EditorialKind,
  orgId: OrgId,
  search: StorySearch,
): Promise<ListPage<EditorialStory[]>> {
  const rows = await listEditorialStories(db.kysely, kind, orgId, { ...search, max: search.max + 1 });
  return createListPage(rows, search.max, (row) => presentEditorialStory(kind, row));
}

/** @returns Failure awardee-not-found, installer-not-found */
export async function readEditorialStory(db: Database, key: EditorialKey): Promise<EditorialStory | Failure> {
  const row = await findEditorialStory(db.kysely, key);
  return row ? presentEditorialStory(key.kind, row) : new Failure(EDITORIAL_NOT_FOUND[key.kind]);
}

/**
 * Publishes an awardee or installer, hides it, or makes it a draft again.
 * @returns Failure awardee-not-found, installer-not-found, story-without-photo, no-consent
 */
export async function setEditorialStatus(
  { db }: Pick<AppDeps, 'db'>,
  key: EditorialKey,
  status: StoryStatus,
): Promise<EditorialStory | Failure> {
  return inTransaction(db, async (tx) => {
    const story = await lockEditorialStory(tx, key);
    if (!story) return new Failure(EDITORIAL_NOT_FOUND[key.kind]);
    const readiness = { hasPhoto: story.photo !== null, hasConsent: story.consented_at !== null };
    const [missingPart] = findMissingRequirements(key.kind, readiness);
    if (status === 'published' && missingPart !== undefined) return publicationFailure(missingPart);
    await changeEditorialStory(tx, key, { status });
    return presentEditorialStory(key.kind, { ...story, status });
  });
}

/**
 * Deletes an awardee or installer and its photo's files. A home whose grant is in the ledger can't be deleted.
 * @returns Failure awardee-not-found, installer-not-found, awardee-has-grant
 */
export async function deleteEditorialStory(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  key: EditorialKey,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    if (key.kind === 'awardee' && (await hasBookedGrant(tx, key.orgId, key.id)))
      return new Failure('awardee-has-grant');
    const row = await deleteEditorialRow(tx, key);
    if (!row) return new Failure(EDITORIAL_NOT_FOUND[key.kind]);
    if (row.photo) await jobs.enqueue(tx, removePicture, { key: row.photo.key });
    return {};
  });
}

export function presentEditorialStory(kind: EditorialKind, row: EditorialRow): EditorialStory {
  return {
    ...presentProfile({ ...row, shown_as: 'full' }, { kind, orgId: row.org_id }),
    status: row.status,
    consent: kind === 'awardee' ? presentConsent(row) : null,
    grants: row.grants.map((grant) => ({ id: grant.id, stage: getGrantStage(grant), amount: toDollars(grant.cents) })),
  };
}

function presentConsent({ consented_at, consent_revoked_at, recorder }: EditorialRow): EditorialStory['consent'] {
  const changedAt = consented_at ?? consent_revoked_at;
  return { isGiven: consented_at !== null, changedTimestamp: changedAt?.toISOString() ?? null, recordedBy: recorder };
}
