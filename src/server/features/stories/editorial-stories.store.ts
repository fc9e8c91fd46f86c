import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { StorySearch } from '#contract/schemas/editorial-stories.ts';
import type { GrantDays } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';
import { toLikePattern } from './review.store.ts';

/** A grant to an awardee's home. */
type HomeGrant = GrantDays & { readonly id: string; readonly cents: Cents };

/** An awardee with its grants, or an installer, with the name of the editor who last recorded its consent. */
export type EditorialRow = Selectable<Tables['awardees']> & {
  readonly recorder: string | null;
  readonly grants: readonly HomeGrant[];
};

export type EditorialKey = { readonly kind: EditorialKind; readonly orgId: OrgId; readonly id: string };

const TABLES_BY_KIND = { awardee: 'awardees', installer: 'installers' } as const satisfies Record<
  EditorialKind,
  keyof Tables
>;

const RECORDER = sql<string | null>`(
  select ${selectUserName()} from users where users.id = consent_recorded_by
)`.as('recorder');

/** Selects an awardee's grants, newest first. */
function selectGrants(kind: EditorialKind) {
  const grants = sql`select json_agg(json_build_object('id', id, 'cents', coalesce(paid_cents, amount_cents),
      'promisedOn', promised_on, 'paidOn', paid_on, 'doneOn', done_on, 'inspectedOn', inspected_on)
      order by created_at desc, id desc)
    from grants where awardee_id = awardees.id`;
  return (kind === 'awardee' ? sql<HomeGrant[]>`coalesce((${grants}), '[]')` : sql<HomeGrant[]>`'[]'::json`).as(
    'grants',
  );
}

export function listEditorialStories(
  db: Kysely<Tables>,
  kind: EditorialKind,
  orgId: OrgId,
  { status, query, ...page }: StorySearch,
): Promise<EditorialRow[]> {
  const table = TABLES_BY_KIND[kind];
  let stories = db
    .selectFrom(table)
    .selectAll()
    .select([RECORDER, selectGrants(kind)]);
  if (status !== undefined) stories = stories.where('status', '=', status);
  if (query !== undefined && query.trim() !== '') stories = stories.where('name', 'ilike', toLikePattern(query));
  return readPage(stories, table, page, orgId);
}

export function findEditorialStory(db: Kysely<Tables>, key: EditorialKey): Promise<EditorialRow | undefined> {
  return selectEditorialStory(db, key).executeTakeFirst();
}

export function lockEditorialStory(tx: Transaction<Tables>, key: EditorialKey): Promise<EditorialRow | undefined> {
  return selectEditorialStory(tx, key).forUpdate().executeTakeFirst();
}

function selectEditorialStory(db: Kysely<Tables>, { kind, orgId, id }: EditorialKey) {
  return db
    .selectFrom(TABLES_BY_KIND[kind])
    .selectAll()
    .select([RECORDER, selectGrants(kind)])
    .where('org_id', '=', orgId)
    .where('id', '=', id);
}

/** @returns false if a story with this id exists */
export async function insertEditorialStoryOnce(
  tx: Transaction<Tables>,
  kind: EditorialKind,
  story: Insertable<Tables['awardees']>,
): Promise<boolean> {
  const row = await tx
    .insertInto(TABLES_BY_KIND[kind])
    .values(story)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function changeEditorialStory(
  tx: Transaction<Tables>,
  { kind, orgId, id }: EditorialKey,
  change: Updateable<Tables['awardees']>,
): Promise<void> {
  await tx.updateTable(TABLES_BY_KIND[kind]).set(change).where('org_id', '=', orgId).where('id', '=', id).execute();
}

/** @returns the story's photo; undefined if there is no such story */
export function deleteEditorialRow(
  tx: Transaction<Tables>,
  { kind, orgId, id }: EditorialKey,
): Promise<{ readonly photo: StoredPhoto | null } | undefined> {
  return tx
    .deleteFrom(TABLES_BY_KIND[kind])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('photo')
    .executeTakeFirst();
}
