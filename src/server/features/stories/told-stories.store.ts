import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { StorySearch } from '#contract/schemas/told-stories.ts';
import type { ToldKind } from '#domain/story-publication.ts';
import { readPage } from '#server/db/keyset.ts';
import type { StoredPhoto, StoriesTable, Tables } from '#server/db/tables.ts';
import { likePattern } from './like-pattern.ts';

/** An awardee or an installer, and the name of the editor who recorded the consent last. */
export type ToldRow = Selectable<StoriesTable> & { readonly recorder: string | null };

export type ToldKey = { readonly kind: ToldKind; readonly orgId: string; readonly id: string };

const TABLES = { awardee: 'awardees', installer: 'installers' } as const satisfies Record<ToldKind, keyof Tables>;

const RECORDER = sql<string | null>`(
  select coalesce(nullif(users.display_name, ''), users.email) from users where users.id = consent_recorded_by
)`.as('recorder');

/** A part of an organisation's awardees or installers, in whatever status, and one more than asked for. */
export function toldPage(
  db: Kysely<Tables>,
  kind: ToldKind,
  orgId: string,
  { status, query, max, ...page }: StorySearch,
): Promise<ToldRow[]> {
  const table = TABLES[kind];
  let stories = db.selectFrom(table).selectAll().select(RECORDER);
  if (status !== undefined) stories = stories.where('status', '=', status);
  if (query !== undefined && query.trim() !== '') stories = stories.where('name', 'ilike', likePattern(query));
  // One more than asked for says whether there is more.
  return readPage(stories, table, { ...page, max: max + 1 }, orgId);
}

export function toldStory(db: Kysely<Tables>, key: ToldKey): Promise<ToldRow | undefined> {
  return one(db, key).executeTakeFirst();
}

/** Reads a story that nobody else can change, or read in this way, until the transaction ends. */
export function lockedTold(tx: Transaction<Tables>, key: ToldKey): Promise<ToldRow | undefined> {
  return one(tx, key).forUpdate().executeTakeFirst();
}

function one(db: Kysely<Tables>, { kind, orgId, id }: ToldKey) {
  return db.selectFrom(TABLES[kind]).selectAll().select(RECORDER).where('org_id', '=', orgId).where('id', '=', id);
}

export async function insertTold(
  tx: Transaction<Tables>,
  kind: ToldKind,
  story: Insertable<StoriesTable>,
): Promise<void> {
  await tx.insertInto(TABLES[kind]).values(story).execute();
}

export async function changeTold(
  tx: Transaction<Tables>,
  { kind, orgId, id }: ToldKey,
  change: Updateable<StoriesTable>,
): Promise<void> {
  await tx.updateTable(TABLES[kind]).set(change).where('org_id', '=', orgId).where('id', '=', id).execute();
}

/** @returns the photo that it had; undefined when there was no such story */
export function deleteToldRow(
  tx: Transaction<Tables>,
  { kind, orgId, id }: ToldKey,
): Promise<{ readonly photo: StoredPhoto | null } | undefined> {
  return tx
    .deleteFrom(TABLES[kind])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('photo')
    .executeTakeFirst();
}
