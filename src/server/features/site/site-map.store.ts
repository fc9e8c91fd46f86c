import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SHARE_IMAGE_KINDS, type ShareImageKind } from '#contract/share-images.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { isPublicStory } from '#server/entities/profile-fields.ts';

/** The lists in the site map: organizations, and the three kinds of stories. */
export const SITE_MAP_LISTS = ['orgs', ...SHARE_IMAGE_KINDS] as const;
export type SiteMapList = (typeof SITE_MAP_LISTS)[number];

/** An organization or a public story. */
export type SiteMapRow = {
  readonly id: string;
  readonly orgId: OrgId;
  readonly changedAt: Date | null;
  /** Null for a story. */
  readonly noAwardees: boolean | null;
};

/** Lists up to `max` rows after the row with the id `after`, or no rows if it no longer exists. */
export async function listSiteMapRows(
  db: Database,
  list: SiteMapList,
  { after, max }: { readonly after: string | undefined; readonly max: number },
): Promise<SiteMapRow[]> {
  const { rows } = await sql<SiteMapRow>`${selectRows(list, after)} limit ${max}`.execute(db.kysely);
  return rows;
}

/** Finds the id of the last of `size` rows; undefined if no rows follow it. */
export async function findPartEnd(
  db: Database,
  list: SiteMapList,
  { after, size }: { readonly after: string | undefined; readonly size: number },
): Promise<string | undefined> {
  const { rows } = await sql<SiteMapRow>`${selectRows(list, after)} offset ${size - 1} limit 2`.execute(db.kysely);
  return rows.length > 1 ? rows[0]?.id : undefined;
}

/** Counts the rows in a list up to `max`, so that a long list isn't counted in full. */
export async function countRowsUpTo(db: Database, list: SiteMapList, max: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from (${selectRows(list, undefined)} limit ${max}) as list`.execute(db.kysely);
  return rows[0]?.rows ?? 0;
}

/** Selects rows in the order of the tables' indexes, so that reading a part is equally fast anywhere in the list. */
function selectRows(list: SiteMapList, after: string | undefined): RawBuilder<SiteMapRow> {
  if (list === 'orgs') {
    return sql`select orgs.id, orgs.id as "orgId", changed_at as "changedAt", no_awardees as "noAwardees"
      from orgs left join org_versions on org_versions.org_id = orgs.id
      where ${after === undefined ? sql<SqlBool>`true` : sql<SqlBool>`orgs.id > ${after}`}
      order by orgs.id`;
  }
  return sql`select id, org_id as "orgId", coalesce(changed_at, created_at) as "changedAt", null as "noAwardees"
    from ${sql.table(list)} where ${isPublicStory(list)} and ${isAfterStory(list, after)}
    order by org_id, created_at, id`;
}

function isAfterStory(list: ShareImageKind, after: string | undefined): RawBuilder<SqlBool> {
  if (after === undefined) return sql`true`;
  return sql`(org_id, created_at, id) > (select org_id, created_at, id from ${sql.table(list)} where id = ${after})`;
}
