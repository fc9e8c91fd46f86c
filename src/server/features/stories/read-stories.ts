import type { Neighbor, Neighbors as NeighborsResponse, Profile } from '#contract/schemas/stories.ts';
import { toNumber } from '#domain/decimal.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { formatPublicName } from '#domain/profile.ts';
import { previewStory } from '#domain/story-preview.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import type { PageRequest } from '#server/db/keyset.ts';
import { findPhotoAccess } from '#server/entities/photos.ts';
import { type OrgProfile, presentProfile, type StoryKind } from '#server/entities/present-profile.ts';
import { presentTexts, type StoryRow } from '#server/entities/profile-fields.ts';
import { readOffsetterHomes } from '#server/features/allocation/read-gift-homes.ts';
import { readInstallerHomes, readListedGrants, readPublishedGrants } from '#server/features/grants/published-grants.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { createStoryStore, sumPounds } from './stories.store.ts';

const NOT_FOUND: Record<StoryKind, FailureCode> = {
  offsetter: 'offsetter-not-found',
  awardee: 'awardee-not-found',
  installer: 'installer-not-found',
};

export async function readStories(
  db: Database,
  kind: StoryKind,
  orgId: OrgId,
  page: PageRequest,
): Promise<ListPage<OrgProfile[]>> {
  const rows = await createStoryStore(db, kind).list(orgId, { ...page, max: page.max + 1 });
  const awardeeIds = kind === 'awardee' ? rows.map(({ id }) => id) : [];
  const grantsByAwardee = await readListedGrants(db, orgId, awardeeIds);
  return createListPage(rows, page.max, (row) => {
    const grants = grantsByAwardee.get(row.id);
    return { ...presentProfile(row, { kind, orgId }), ...(grants ? { grants } : {}) };
  });
}

/** @returns Failure offsetter-not-found, awardee-not-found, installer-not-found */
export async function readStory(
  db: Database,
  kind: StoryKind,
  orgId: OrgId,
  id: string,
): Promise<OrgProfile | Failure> {
  const row = await createStoryStore(db, kind).find(orgId, id);
  if (!row) return new Failure(NOT_FOUND[kind]);
  const story = presentProfile(row, { kind, orgId });
  return { ...story, ...(await readDetails(db, row, { kind, orgId })) };
}

/** Reads the fields that lists omit. */
async function readDetails(
  db: Database,
  { id, shows_pounds, shows_homes }: StoryRow,
  { kind, orgId }: { readonly kind: StoryKind; readonly orgId: OrgId },
): Promise<Pick<Profile, 'pounds' | 'grants' | 'homes'>> {
  if (kind === 'awardee') {
    const grants = await readPublishedGrants(db, orgId, id);
    return grants.length > 0 ? { grants } : {};
  }
  if (kind === 'installer') {
    const homes = await readInstallerHomes(db, orgId, id);
    return homes.length > 0 ? { homes } : {};
  }
  const pounds = shows_pounds === true ? toNumber(await sumPounds(db, orgId, id)) : 0;
  const homes = shows_homes === true ? await readOffsetterHomes(db, orgId, id) : [];
  return { ...(pounds > 0 ? { pounds } : {}), ...(homes.length > 0 ? { homes } : {}) };
}

/**
 * Reads the stories before and after a story in the list.
 * @returns Failure offsetter-not-found, awardee-not-found, installer-not-found
 */
export async function readNeighbors(
  db: Database,
  kind: StoryKind,
  orgId: OrgId,
  id: string,
): Promise<NeighborsResponse | Failure> {
  const store = createStoryStore(db, kind);
  if (!(await store.find(orgId, id))) return new Failure(NOT_FOUND[kind]);
  const { previous, next } = await store.findNeighbors(orgId, id);
  const present = (row: StoryRow | undefined) => (row ? presentNeighbor(presentProfile(row, { kind, orgId })) : null);
  return { previous: present(previous), next: present(next) };
}

function presentNeighbor({ id, name, story, photo, profileURL }: Profile): Neighbor {
  return { id, name, photo, profileURL, preview: previewStory(story) };
}

/** A published story with its public name. */
export type PublicStory = { readonly name: string; readonly story: string; readonly photo: StoredPhoto | null };

export async function findPublicStory(
  db: Database,
  kind: StoryKind,
  orgId: OrgId,
  id: string,
): Promise<PublicStory | undefined> {
  const row = await createStoryStore(db, kind).find(orgId, id);
  return row && { name: formatPublicName(presentTexts(row).name, row.shown_as), story: row.story, photo: row.photo };
}

/**
 * Checks whether a picture may be opened and for how long it may be cached. The picture of a hidden story opens only with
 * the story's token. A picture without a story belongs to a cell, or to a story that was just deleted, so it may be
 * cached only briefly.
 * @returns undefined if the picture may not be opened
 */
export async function checkPhotoAccess(
  db: Database,
  key: string,
  token: unknown,
): Promise<'permanent' | 'public' | 'private' | undefined> {
  const access = await findPhotoAccess(db, key);
  if (!access) return 'public';
  if (access.photoToken === null) return 'permanent';
  if (access.isPublic) return 'public';
  return token === access.photoToken ? 'private' : undefined;
}

export async function isStoryPublic(db: Database, kind: StoryKind, orgId: OrgId, id: string): Promise<boolean> {
  return (await createStoryStore(db, kind).find(orgId, id)) !== undefined;
}
