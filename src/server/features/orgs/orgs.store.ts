import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { addMissingFactors, type DatedFactorSet } from '#domain/factor-sets.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { type PageRequest, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import { type OrgRow, selectOrgs } from '#server/entities/find-org.ts';

export function listOrgs(db: Database, page: PageRequest): Promise<OrgRow[]> {
  return readPage(selectOrgs(db), 'orgs', page);
}

export async function hasOrg(tx: Transaction<Tables>, id: string): Promise<boolean> {
  return (await tx.selectFrom('orgs').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function insertOrg(tx: Transaction<Tables>, org: Insertable<Tables['orgs']>): Promise<void> {
  await tx.insertInto('orgs').values(org).execute();
}

export function lockOrg(tx: Transaction<Tables>, id: string): Promise<Selectable<Tables['orgs']> | undefined> {
  return tx.selectFrom('orgs').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function insertFactorSet(tx: Transaction<Tables>, set: Insertable<Tables['factor_sets']>): Promise<void> {
  await tx.insertInto('factor_sets').values(set).execute();
}

/** Lists the organization's factor sets, newest first. */
export async function listFactorSets(
  { kysely }: Pick<Database, 'kysely'>,
  orgId: OrgId,
): Promise<readonly DatedFactorSet[]> {
  const sets = kysely.selectFrom('factor_sets').select('factors').where('org_id', '=', orgId);
  const rows = await sets.orderBy('number', 'desc').execute();
  return rows.map(({ factors }) => addMissingFactors(factors));
}

export async function countFactorSets(tx: Transaction<Tables>, orgId: OrgId): Promise<number> {
  const sets = tx.selectFrom('factor_sets').where('org_id', '=', orgId);
  const { count } = await sets.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

export type StepFacts = {
  readonly has_text: boolean;
  readonly has_awardee: boolean;
  readonly editor_count: number;
  readonly has_gift: boolean;
};

/** Reads the facts that determine which first steps are done. */
export async function readStepFacts(db: Kysely<Tables>, orgId: OrgId): Promise<StepFacts> {
  const { rows } = await sql<StepFacts>`
    select exists (select from cells where org_id = ${orgId}) as has_text,
      exists (select from awardees where org_id = ${orgId} and status = 'published') as has_awardee,
      (select count(*) from org_editors where org_id = ${orgId} and role = 'editor') as editor_count,
      exists (select from ledger_entries where org_id = ${orgId} and kind in ('payment', 'check')) as has_gift`.execute(
    db,
  );
  return rows[0] ?? { has_text: false, has_awardee: false, editor_count: 0, has_gift: false };
}

/** Saves an organization's former slug, so that it redirects to the organization. */
export async function saveFormerSlug(tx: Transaction<Tables>, slug: string, orgId: OrgId): Promise<void> {
  await tx
    .insertInto('former_slugs')
    .values({ slug, org_id: orgId })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ org_id: orgId }))
    .execute();
}

export async function changeOrg(
  tx: Transaction<Tables>,
  id: string,
  columns: Updateable<Tables['orgs']>,
): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable('orgs').set(columns).where('id', '=', id).execute();
}
