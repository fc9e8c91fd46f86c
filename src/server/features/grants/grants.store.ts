import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { Lines } from '#domain/books.ts';
import type { GrantStage } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { type PageRequest, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';

export type GrantKey = { readonly orgId: OrgId; readonly grantId: string };
export type GrantRow = Selectable<Tables['grants']> & {
  readonly awardee: string;
  /** Current name of the linked installer. */
  readonly installer_name: string | null;
};

const AWARDEE_NAME = sql<string>`(
  select name from awardees where awardees.id = grants.awardee_id and awardees.org_id = grants.org_id)`.as('awardee');

const INSTALLER_NAME = sql<string | null>`(
  select name from installers where installers.id = grants.installer_id and installers.org_id = grants.org_id
)`.as('installer_name');

/** SQL equivalent of `getGrantStage`. */
const STAGE = sql<GrantStage>`case when paid_on is null then case when promised_on is null then 'applied' else 'promised' end
  when inspected_on is not null then 'inspected' when done_on is null then 'paid' else 'done' end`;

export type GrantFilter = { readonly awardeeid?: string | undefined; readonly stage?: GrantStage | undefined };

export function listGrants(
  db: Kysely<Tables>,
  orgId: OrgId,
  { awardeeid: awardeeId, stage, ...page }: PageRequest & GrantFilter,
): Promise<GrantRow[]> {
  let grants = db.selectFrom('grants').selectAll().select([AWARDEE_NAME, INSTALLER_NAME]);
  if (awardeeId !== undefined) grants = grants.where('awardee_id', '=', awardeeId);
  if (stage !== undefined) grants = grants.where(STAGE, '=', stage);
  return readPage(grants, 'grants', page, orgId);
}

/** Counts and sums grants by stage. Omits stages without grants. */
export function sumGrantsByStage(
  db: Kysely<Tables>,
  orgId: OrgId,
  { awardeeid: awardeeId }: Pick<GrantFilter, 'awardeeid'>,
) {
  const grants = db.selectFrom('grants').where('org_id', '=', orgId);
  return (awardeeId === undefined ? grants : grants.where('awardee_id', '=', awardeeId))
    .select([
      STAGE.as('stage'),
      sql<number>`count(*)::int4`.as('grants'),
      sql<Cents>`sum(coalesce(paid_cents, amount_cents))::int8`.as('cents'),
    ])
    .groupBy(STAGE)
    .execute();
}

export function findGrant(db: Kysely<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return selectGrant(db, key).executeTakeFirst();
}

export function lockGrant(tx: Transaction<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return selectGrant(tx, key).forUpdate().executeTakeFirst();
}

function selectGrant(db: Kysely<Tables>, { orgId, grantId }: GrantKey) {
  const grants = db.selectFrom('grants').selectAll().select([AWARDEE_NAME, INSTALLER_NAME]);
  return grants.where('org_id', '=', orgId).where('id', '=', grantId);
}

/** Finds the ids of homes with a published page. */
export async function findPublishedHomeIds(db: Kysely<Tables>, orgId: OrgId): Promise<Set<string>> {
  const homes = db.selectFrom('awardees').select('id').where('org_id', '=', orgId).where('status', '=', 'published');
  return new Set((await homes.execute()).map(({ id }) => id));
}

/** Lists homes with a promised, unpaid grant, and the fields that each household agreed to publish. */
export function listPromisedHomes(
  db: Kysely<Tables>,
  orgId: OrgId,
): Promise<Pick<GrantRow, 'awardee_id' | 'published_fields'>[]> {
  return db
    .selectFrom('grants')
    .select(['awardee_id', 'published_fields'])
    .where('org_id', '=', orgId)
    .where('promised_entry_id', 'is not', null)
    .where('paid_entry_id', 'is', null)
    .execute();
}

/** Locks the awardee, so that it can't be deleted until the transaction ends. */
export async function lockAwardee(tx: Transaction<Tables>, orgId: OrgId, awardeeId: string): Promise<boolean> {
  const awardee = tx.selectFrom('awardees').select('id').where('org_id', '=', orgId).where('id', '=', awardeeId);
  return (await awardee.forKeyShare().executeTakeFirst()) !== undefined;
}

/** Finds the id of the organization's installer with this name, preferring a published one. */
export async function findInstallerByName(
  tx: Transaction<Tables>,
  orgId: OrgId,
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from installers where org_id = ${orgId} and lower(name) = lower(${name})
    order by status = 'published' desc, created_at, id limit 1 for key share`.execute(tx);
  return rows[0]?.id;
}

/** Inserts a grant, unless one with this id exists. */
export async function insertGrantOnce(tx: Transaction<Tables>, grant: Insertable<Tables['grants']>): Promise<void> {
  await tx
    .insertInto('grants')
    .values(grant)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function updateGrant(
  tx: Transaction<Tables>,
  { orgId, grantId }: GrantKey,
  change: Omit<Updateable<Tables['grants']>, 'id' | 'org_id'>,
): Promise<void> {
  await tx.updateTable('grants').set(change).where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export async function deleteGrantRow(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<void> {
  await tx.deleteFrom('grants').where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export function findBookedGrant(tx: Transaction<Tables>, orgId: OrgId, awardeeId: string) {
  return tx
    .selectFrom('grants')
    .innerJoin('ledger_entries', 'ledger_entries.grant_id', 'grants.id')
    .select('grants.id')
    .where('grants.org_id', '=', orgId)
    .where('awardee_id', '=', awardeeId)
    .executeTakeFirst();
}

/** Counts the grant's ledger entries, including reversals. */
export async function countEntries(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<number> {
  const { entries } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('entries'))
    .where('org_id', '=', orgId)
    .where('grant_id', '=', grantId)
    .executeTakeFirstOrThrow();
  return entries;
}

export async function readEntryLines(tx: Transaction<Tables>, entryId: string): Promise<Lines> {
  const lines = await tx
    .selectFrom('ledger_lines')
    .select(['account', 'cents'])
    .where('entry_id', '=', entryId)
    .execute();
  return Object.fromEntries(lines.map(({ account, cents }) => [account, cents]));
}

/** A promised or paid grant. */
export type PublicGrantRow = Selectable<Tables['grants']> & {
  /** Null if the installer has no published page. */
  readonly public_installer: string | null;
};

/** Lists the promised and paid grants of homes, oldest first. */
export async function listPublicGrants(
  db: Kysely<Tables>,
  orgId: OrgId,
  awardeeIds: readonly string[],
): Promise<PublicGrantRow[]> {
  return db
    .selectFrom('grants')
    .leftJoin('installers', (join) =>
      join.onRef('installers.id', '=', 'installer_id').on('installers.status', '=', 'published'),
    )
    .selectAll('grants')
    .select('installers.name as public_installer')
    .where('grants.org_id', '=', orgId)
    .where('awardee_id', 'in', awardeeIds)
    .where((grant) => grant.or([grant('promised_on', 'is not', null), grant('paid_on', 'is not', null)]))
    .orderBy('grants.created_at')
    .orderBy('grants.id')
    .execute();
}

export type HomeRow = Pick<Selectable<Tables['grants']>, 'awardee_id' | 'measures' | 'published_fields' | 'done_on'> & {
  readonly name: string;
};

/** Lists published homes where an installer finished work and the household agreed to show the installer, newest first. */
export async function listInstallerHomes(db: Kysely<Tables>, orgId: OrgId, installerId: string): Promise<HomeRow[]> {
  return db
    .selectFrom('grants')
    .innerJoin('awardees', (join) =>
      join.onRef('awardees.id', '=', 'awardee_id').on('awardees.status', '=', 'published'),
    )
    .select(['awardee_id', 'measures', 'published_fields', 'done_on', 'awardees.name'])
    .where('grants.org_id', '=', orgId)
    .where('installer_id', '=', installerId)
    .where('done_on', 'is not', null)
    .where(sql<boolean>`'installer' = any(published_fields)`)
    .orderBy('grants.created_at', 'desc')
    .orderBy('grants.id')
    .execute();
}
