import type { StorySearch, ToldStory } from '#contract/schemas/told-stories.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import type { ToldKind } from '#domain/story-publication.ts';
import type { Database } from '#server/db/connection.ts';
import { presentToldStory } from './present-told-story.ts';
import { type ToldKey, toldPage, toldStory } from './told-stories.store.ts';

export const TOLD_NOT_FOUND: Readonly<Record<ToldKind, FailureCode>> = {
  awardee: 'awardee-not-found',
  installer: 'installer-not-found',
};

export type ToldPart = { readonly stories: ToldStory[]; readonly nextCursor: string | undefined };

/** A part of an organisation's awardees or installers, shown or not. */
export async function readToldStories(
  db: Database,
  kind: ToldKind,
  orgId: string,
  search: StorySearch,
): Promise<ToldPart> {
  const rows = await toldPage(db.kysely, kind, orgId, search);
  const part = rows.slice(0, search.max);
  return {
    stories: part.map((row) => presentToldStory(kind, row)),
    nextCursor: rows.length > part.length ? part.at(-1)?.id : undefined,
  };
}

/** @returns Failure awardee-not-found, installer-not-found */
export async function readToldStory(db: Database, key: ToldKey): Promise<ToldStory | Failure> {
  const row = await toldStory(db.kysely, key);
  return row ? presentToldStory(key.kind, row) : new Failure(TOLD_NOT_FOUND[key.kind]);
}
