import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SHARE_IMAGE_KINDS, type ShareImageKind } from '#contract/share-images.ts';
import type { Database } from '#server/db/connection.ts';
import { isShownIn } from '#server/entities/profile-fields.ts';

/** The lists that the site map is made of: organizations, and the three kinds of stories. */
export const MAPPED_LISTS = ['orgs', ...SHARE_IMAGE_KINDS] as const;
export type MappedList = (typeof MAPPED_LISTS)[number];

/** What the map says of a row: an organization, or a story that the public may see. */
export type MappedRow = {
  readonly id: string;
  readonly orgId: string;
  readonly changedAt: Date | null;
  /** Of an organization. */
  readonly noAwardees: boolean | null;
};

/** At most `max` rows after the one with an id; none if that row no longer exists. */
export async function mappedRows(
  db: Database,
  list: MappedList,
  { after, max }: { readonly after: string | undefined; readonly max: number },
): Promise<MappedRow[]> {
  const { rows } = await sql<MappedRow>`${selection(list, after)} limit ${max}`.execute(db.kysely);
  return rows;
}

/** The id of the last of `size` rows, if there are more after it. */
export async function endOfPart(
  db: Database,
  list: MappedList,
  { after, size }: { readonly after: string | undefined; readonly size: number },
): Promise<string | undefined> {
  const { rows } = await sql<MappedRow>`${selection(list, after)} offset ${size - 1} limit 2`.execute(db.kysely);
  return rows.length > 1 ? rows[0]?.id : undefined;
}

/** How many rows a list has, counted no further than `most`: a long list is not counted whole. */
export async function countUpTo(db: Database, list: MappedList, most: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from (${selection(list, undefined)} limit ${most}) as found`.execute(db.kysely);
  return rows[0]?.rows ?? 0;
}

/** In the order of the tables' own indexes, so that a part costs the same wherever in the list it is. */
function selection(list: MappedList, after: string | undefined): RawBuilder<MappedRow> {
  if (list === 'orgs') {
    return sql`select orgs.id, orgs.id as "orgId", changed_at as "changedAt", no_awardees as "noAwardees"
      from orgs left join org_versions on org_versions.org_id = orgs.id
      where ${after === undefined ? sql<SqlBool>`true` : sql<SqlBool>`orgs.id > ${after}`}
      order by orgs.id`;
  }
  return sql`select id, org_id as "orgId", coalesce(changed_at, created_at) as "changedAt", null as "noAwardees"
    from ${sql.table(list)} where ${isShownIn(list)} and ${storyAfter(list, after)}
    order by org_id, created_at, id`;
}

function storyAfter(list: ShareImageKind, after: string | undefined): RawBuilder<SqlBool> {
  if (after === undefined) return sql`true`;
  return sql`(org_id, created_at, id) > (select org_id, created_at, id from ${sql.table(list)} where id = ${after})`;
}
