import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { OrgsTable, Tables } from '#server/db/tables.ts';

/** An organisation, and which version of it this is. */
export type OrgRow = Selectable<OrgsTable> & { readonly version: number };

export function orgById(db: Database, id: string): Promise<OrgRow | undefined> {
  return orgs(db).where('id', '=', id).executeTakeFirst();
}

export function orgBySlug(db: Database, slug: string): Promise<OrgRow | undefined> {
  return orgs(db).where('slug', '=', slug).executeTakeFirst();
}

export function orgsPage(db: Database, page: Page): Promise<OrgRow[]> {
  return readPage(orgs(db), 'orgs', page);
}

/** The version of an organisation; nothing where there is no such organisation. */
export async function orgVersion(db: Database, id: string): Promise<number | undefined> {
  const row = await db.kysely.selectFrom('org_versions').select('version').where('org_id', '=', id).executeTakeFirst();
  return row?.version;
}

export async function hasOrg(tx: Transaction<Tables>, id: string): Promise<boolean> {
  return (await tx.selectFrom('orgs').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function insertOrg(tx: Transaction<Tables>, org: Insertable<OrgsTable>): Promise<void> {
  await tx.insertInto('orgs').values(org).execute();
}

/** The organisation, which nobody else changes until the transaction ends. */
export function lockedOrg(tx: Transaction<Tables>, id: string): Promise<Selectable<OrgsTable> | undefined> {
  return tx.selectFrom('orgs').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Writes the columns that are given; none is fine. */
export async function changeOrg(tx: Transaction<Tables>, id: string, columns: Updateable<OrgsTable>): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable('orgs').set(columns).where('id', '=', id).execute();
}

function orgs({ kysely }: Database) {
  const version = (org: ExpressionBuilder<Tables, 'orgs'>) =>
    org.selectFrom('org_versions').select('version').whereRef('org_versions.org_id', '=', 'orgs.id');
  return kysely
    .selectFrom('orgs')
    .selectAll()
    .select((org) => org.fn.coalesce(version(org), sql<number>`0`).as('version'));
}
