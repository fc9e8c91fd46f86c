import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { TimeZone } from '#domain/days.ts';
import type { VersionedFactors } from '#domain/emissions.ts';
import { addMissingFactors } from '#domain/factor-sets.ts';
import type { OrgId } from '#domain/ids.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** An organization with its version, which increases with every change to the content of its pages. */
export type OrgRow = Selectable<Tables['orgs']> & {
  readonly version: number;
  /** When the ledger or the published awardees last changed its stats. */
  readonly stats_changed_at: Date | null;
};

/** The fields of an organization that other features use. */
export type OrgFacts = {
  readonly id: OrgId;
  readonly name: string;
  readonly tag: string;
  readonly photo: StoredPhoto | null;
  readonly noAwardees: boolean;
  readonly reviewStories: boolean;
  /** Time zone that determines its days (decisions §3). */
  readonly timeZone: TimeZone;
  /** Factors for its estimates; undefined if it uses the default factors. */
  readonly factors: VersionedFactors | undefined;
  /** The whole row, for calls that return the organization itself. */
  readonly row: OrgRow;
};

/** An organization's id, and the time zone that determines its days. */
export type OrgWithTimeZone = Pick<OrgFacts, 'id' | 'timeZone'>;

export async function findOrg(db: Database, id: string): Promise<OrgFacts | undefined> {
  const row = await findOrgRow(db, id);
  return row && toOrgFacts(row);
}

export async function findOrgBySlug(db: Database, slug: string): Promise<OrgFacts | undefined> {
  const row = await findOrgRowBySlug(db, slug);
  return row && toOrgFacts(row);
}

export function findOrgRow(db: Database, id: string): Promise<OrgRow | undefined> {
  return selectOrgs(db).where('id', '=', id).executeTakeFirst();
}

/** Finds the organization with this slug, or else the last organization that had it (decisions §8). */
export async function findOrgRowBySlug(db: Database, slug: string): Promise<OrgRow | undefined> {
  const currentOrg = await selectOrgs(db).where('slug', '=', slug).executeTakeFirst();
  if (currentOrg) return currentOrg;
  const formerOrgId = db.kysely.selectFrom('former_slugs').select('org_id').where('slug', '=', slug);
  return selectOrgs(db).where('id', '=', formerOrgId).executeTakeFirst();
}

export function selectOrgs({ kysely }: Database) {
  const selectVersion = (org: ExpressionBuilder<Tables, 'orgs'>) =>
    org.selectFrom('org_versions').whereRef('org_versions.org_id', '=', 'orgs.id');
  return kysely
    .selectFrom('orgs')
    .selectAll()
    .select((org) => [
      org.fn.coalesce(selectVersion(org).select('version'), sql<number>`0`).as('version'),
      selectVersion(org).select('stats_changed_at').as('stats_changed_at'),
    ]);
}

/** @returns whether any organization exists */
export async function hasOrgs({ kysely }: Database): Promise<boolean> {
  return (await kysely.selectFrom('orgs').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Filters versions of factor sets to the ones that the organization has used. */
export async function filterUsedFactorVersions(
  { kysely }: Database,
  id: string,
  versions: readonly string[],
): Promise<string[]> {
  const sets = kysely.selectFrom('factor_sets').select('version').where('org_id', '=', id);
  return (await sets.where('version', 'in', versions).execute()).map(({ version }) => version);
}

/** The current version of an organization; undefined if there is no such organization. */
export async function findOrgVersion(db: Database, id: string): Promise<number | undefined> {
  const row = await db.kysely.selectFrom('org_versions').select('version').where('org_id', '=', id).executeTakeFirst();
  return row?.version;
}

export function toOrgFacts(row: OrgRow): OrgFacts {
  return {
    id: row.id,
    name: row.name,
    tag: row.tag,
    photo: row.photo,
    noAwardees: row.no_awardees,
    reviewStories: row.review_stories,
    timeZone: row.time_zone,
    factors: row.factors === null ? undefined : addMissingFactors(row.factors),
    row,
  };
}

/**
 * Returns when the first organization was added. Earlier account fees don't belong to the fund. The first checkout
 * can't be used instead, because unpaid checkouts are deleted.
 */
export async function findFirstOrgDate({ kysely }: Database): Promise<Date | undefined> {
  const firstOrg = await kysely
    .selectFrom('orgs')
    .select('created_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return firstOrg?.created_at;
}
