import type { Selectable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { type Page, pageOf } from '#server/db/keyset.ts';
import type { OrgsTable } from '#server/db/tables.ts';

export type OrgRow = Selectable<OrgsTable>;

export function orgById(db: Database, id: string): Promise<OrgRow | undefined> {
  return db.kysely.selectFrom('orgs').selectAll().where('id', '=', id).executeTakeFirst();
}

export function orgBySlug(db: Database, slug: string): Promise<OrgRow | undefined> {
  return db.kysely.selectFrom('orgs').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export function orgsPage(db: Database, page: Page): Promise<OrgRow[]> {
  return pageOf(db.kysely.selectFrom('orgs').selectAll(), 'orgs', page).execute();
}
