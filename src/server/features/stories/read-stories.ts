import type { Neighbour, Neighbours as NeighboursAnswer, Profile } from '#contract/schemas/stories.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { shownName, storyPreview } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { presentProfile, type StoryKind, type StoryRow } from '#server/profiles/present-profile.ts';
import { storyStore } from './stories.store.ts';

const NOT_FOUND: Record<StoryKind, FailureCode> = {
  offsetter: 'offsetter-not-found',
  awardee: 'awardee-not-found',
  installer: 'installer-not-found',
};

export type ProfilesPart = { readonly profiles: Profile[]; readonly nextCursor: string | undefined };

/** A part of an organisation's stories of one kind. */
export async function readStories(db: Database, kind: StoryKind, orgId: string, page: Page): Promise<ProfilesPart> {
  // One more than asked for says whether there is more, without a count of all.
  const rows = await storyStore(db, kind).page(orgId, { ...page, max: page.max + 1 });
  const shown = rows.slice(0, page.max);
  return {
    profiles: shown.map((row) => presentProfile(row, { kind, orgId })),
    nextCursor: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

/** @returns Failure offsetter-not-found, awardee-not-found, installer-not-found */
export async function readStory(db: Database, kind: StoryKind, orgId: string, id: string): Promise<Profile | Failure> {
  const row = await storyStore(db, kind).one(orgId, id);
  return row ? presentProfile(row, { kind, orgId }) : new Failure(NOT_FOUND[kind]);
}

/** The stories before and after one in the list. @returns Failure as readStory does */
export async function readNeighbours(
  db: Database,
  kind: StoryKind,
  orgId: string,
  id: string,
): Promise<NeighboursAnswer | Failure> {
  const store = storyStore(db, kind);
  if (!(await store.one(orgId, id))) return new Failure(NOT_FOUND[kind]);
  const { previous, next } = await store.neighbours(orgId, id);
  const present = (row: StoryRow | undefined) => (row ? neighbourOf(presentProfile(row, { kind, orgId })) : null);
  return { previous: present(previous), next: present(next) };
}

function neighbourOf({ id, name, story, photo, profileURL }: Profile): Neighbour {
  return { id, name, photo, profileURL, preview: storyPreview(story) };
}

/** A story that the public may see, by the name that it is shown by. */
export type ShownStory = { readonly name: string; readonly story: string; readonly photo: StoredPhoto | null };

export async function shownStory(
  db: Database,
  kind: StoryKind,
  orgId: string,
  id: string,
): Promise<ShownStory | undefined> {
  const row = await storyStore(db, kind).one(orgId, id);
  return row && { name: shownName(row.name, row.shown_as), story: row.story, photo: row.photo };
}

export async function storyIsShown(db: Database, kind: StoryKind, orgId: string, id: string): Promise<boolean> {
  return (await storyStore(db, kind).one(orgId, id)) !== undefined;
}
