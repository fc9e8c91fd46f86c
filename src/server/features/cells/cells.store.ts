import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { type CellRef, isOrgTag } from '#domain/cells.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { type PageRequest, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';

export type CellRow = Selectable<Tables['cells']>;
export type VersionRow = Selectable<Tables['cell_versions']> & {
  readonly author_name: string | null;
  readonly author_email: string | null;
};

export function listCells(db: Database, orgId: OrgId): Promise<CellRow[]> {
  return db.kysely.selectFrom('cells').selectAll().where('org_id', '=', orgId).execute();
}

/** Locks the organization, and thus all its cells, until the transaction ends. */
export function lockOrg(tx: Transaction<Tables>, orgId: OrgId): Promise<{ created_at: Date } | undefined> {
  return tx.selectFrom('orgs').select('created_at').where('id', '=', orgId).forNoKeyUpdate().executeTakeFirst();
}

type SavedText = {
  readonly markdown: string;
  readonly savedAt: Date;
  /** True if the text is saved even if it equals the default. */
  readonly isAlwaysSaved: boolean;
};

/** Finds a cell's saved text. The cell home/tag is stored on the organization (decisions §1). */
export async function findText(tx: Transaction<Tables>, orgId: OrgId, key: CellRef): Promise<SavedText | undefined> {
  if (isOrgTag(key)) {
    const org = await tx.selectFrom('orgs').select(['tag', 'created_at']).where('id', '=', orgId).executeTakeFirst();
    return org && { markdown: org.tag, savedAt: org.created_at, isAlwaysSaved: true };
  }
  const cell = await tx
    .selectFrom('cells')
    .select(['markdown', 'created_at'])
    .where('org_id', '=', orgId)
    .where('page', '=', key.page)
    .where('name', '=', key.name)
    .executeTakeFirst();
  return cell && { markdown: cell.markdown, savedAt: cell.created_at, isAlwaysSaved: false };
}

/** Saves a cell's text, or deletes the cell if it is the default text. */
export async function saveText(
  tx: Transaction<Tables>,
  orgId: OrgId,
  key: CellRef,
  {
    isDefault,
    ...text
  }: Pick<CellRow, 'markdown' | 'html' | 'user_id' | 'created_at'> & { readonly isDefault: boolean },
): Promise<void> {
  if (isOrgTag(key)) await tx.updateTable('orgs').set({ tag: text.markdown }).where('id', '=', orgId).execute();
  else if (isDefault) await deleteCell(tx, orgId, key);
  else await saveCellRow(tx, { org_id: orgId, page: key.page, name: key.name, ...text });
}

export async function saveCellRow(tx: Transaction<Tables>, cell: Insertable<Tables['cells']>): Promise<void> {
  const { markdown, html, user_id = null, created_at } = cell;
  const change = { markdown, html, user_id, ...(created_at === undefined ? {} : { created_at }) };
  await tx
    .insertInto('cells')
    .values(cell)
    .onConflict((conflict) => conflict.columns(['org_id', 'page', 'name']).doUpdateSet(change))
    .execute();
}

async function deleteCell(tx: Transaction<Tables>, orgId: OrgId, { page, name }: CellRef): Promise<void> {
  await tx.deleteFrom('cells').where('org_id', '=', orgId).where('page', '=', page).where('name', '=', name).execute();
}

export function findLatestVersion(
  tx: Transaction<Tables>,
  orgId: OrgId,
  key: CellRef,
): Promise<VersionRow | undefined> {
  return selectVersions(tx, orgId, key)
    .orderBy('cell_versions.created_at', 'desc')
    .orderBy('cell_versions.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function listVersions(db: Kysely<Tables>, orgId: OrgId, key: CellRef, page: PageRequest): Promise<VersionRow[]> {
  return readPage(selectVersions(db, orgId, key), 'cell_versions', page, orgId);
}

export async function insertVersion(
  tx: Transaction<Tables>,
  version: Insertable<Tables['cell_versions']>,
): Promise<void> {
  await tx.insertInto('cell_versions').values(version).execute();
}

/** Checks whether a cell or earlier version in any organization contains a picture. Text is copied between organizations. */
export async function isPictureInTexts(db: Kysely<Tables>, key: string): Promise<boolean> {
  const hasPicture = sql<SqlBool>`strpos(markdown, ${`/media/${key}/`}) > 0`;
  const { rows } = await sql<{ is_used: boolean }>`select exists (select from cells where ${hasPicture})
    or exists (select from cell_versions where ${hasPicture}) as is_used`.execute(db);
  return rows[0]?.is_used !== false;
}

function selectVersions(db: Kysely<Tables>, orgId: OrgId, { page, name }: CellRef) {
  return db
    .selectFrom('cell_versions')
    .leftJoin('users', 'users.id', 'cell_versions.user_id')
    .selectAll('cell_versions')
    .select(['users.display_name as author_name', 'users.email as author_email'])
    .where('cell_versions.org_id', '=', orgId)
    .where('cell_versions.page', '=', page)
    .where('cell_versions.name', '=', name);
}
