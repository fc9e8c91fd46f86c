import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { Lines } from '#domain/books.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';

export type GrantKey = { readonly orgId: string; readonly grantId: string };
export type GrantRow = Selectable<Tables['grants']> & {
  readonly awardee: string;
  /** What the linked installer is called now. */
  readonly installer_name: string | null;
};

const AWARDEE = sql<string>`(
  select name from awardees where awardees.id = grants.awardee_id and awardees.org_id = grants.org_id)`.as('awardee');

const INSTALLER = sql<string | null>`(
  select name from installers where installers.id = grants.installer_id and installers.org_id = grants.org_id
)`.as('installer_name');

export function grantsPage(
  db: Kysely<Tables>,
  orgId: string,
  { awardeeid, ...page }: Page & { readonly awardeeid?: string | undefined },
): Promise<GrantRow[]> {
  const all = db.selectFrom('grants').selectAll().select([AWARDEE, INSTALLER]);
  return readPage(awardeeid === undefined ? all : all.where('awardee_id', '=', awardeeid), 'grants', page, orgId);
}

export function grantById(db: Kysely<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return one(db, key).executeTakeFirst();
}

export function lockedGrant(tx: Transaction<Tables>, key: GrantKey): Promise<GrantRow | undefined> {
  return one(tx, key).forUpdate().executeTakeFirst();
}

function one(db: Kysely<Tables>, { orgId, grantId }: GrantKey) {
  const all = db.selectFrom('grants').selectAll().select([AWARDEE, INSTALLER]);
  return all.where('org_id', '=', orgId).where('id', '=', grantId);
}

/** The homes that have a page. */
export async function shownHomes(db: Kysely<Tables>, orgId: string): Promise<Set<string>> {
  const homes = db.selectFrom('awardees').select('id').where('org_id', '=', orgId).where('status', '=', 'published');
  return new Set((await homes.execute()).map(({ id }) => id));
}

/** The homes that are promised a grant and not paid, with what they let the public see. */
export function promisedHomes(db: Kysely<Tables>, orgId: string): Promise<Pick<GrantRow, 'awardee_id' | 'shown'>[]> {
  return db
    .selectFrom('grants')
    .select(['awardee_id', 'shown'])
    .where('org_id', '=', orgId)
    .where('promised_entry_id', 'is not', null)
    .where('paid_entry_id', 'is', null)
    .execute();
}

/** Locked until the transaction ends, so that it is not deleted meanwhile. */
export async function hasAwardee(tx: Transaction<Tables>, orgId: string, awardeeId: string): Promise<boolean> {
  const awardee = tx.selectFrom('awardees').select('id').where('org_id', '=', orgId).where('id', '=', awardeeId);
  return (await awardee.forKeyShare().executeTakeFirst()) !== undefined;
}

/** The installer of this name, if the organization has one; of two, the one that is shown. */
export async function installerNamed(
  tx: Transaction<Tables>,
  orgId: string,
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from installers where org_id = ${orgId} and lower(name) = lower(${name})
    order by status = 'published' desc, created_at, id limit 1 for key share`.execute(tx);
  return rows[0]?.id;
}

/** Not if its id exists. */
export async function insertGrantOnce(tx: Transaction<Tables>, grant: Insertable<Tables['grants']>): Promise<void> {
  await tx
    .insertInto('grants')
    .values(grant)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function changeGrant(
  tx: Transaction<Tables>,
  { orgId, grantId }: GrantKey,
  change: Omit<Updateable<Tables['grants']>, 'id' | 'org_id'>,
): Promise<void> {
  await tx.updateTable('grants').set(change).where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export async function deleteGrantRow(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<void> {
  await tx.deleteFrom('grants').where('org_id', '=', orgId).where('id', '=', grantId).execute();
}

export function bookedGrantOf(tx: Transaction<Tables>, orgId: string, awardeeId: string) {
  return tx
    .selectFrom('grants')
    .innerJoin('ledger_entries', 'ledger_entries.grant_id', 'grants.id')
    .select('grants.id')
    .where('grants.org_id', '=', orgId)
    .where('awardee_id', '=', awardeeId)
    .executeTakeFirst();
}

/** How many entries of the ledger a grant has: each has its own fact. */
export async function entriesOf(tx: Transaction<Tables>, { orgId, grantId }: GrantKey): Promise<number> {
  const { entries } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('entries'))
    .where('org_id', '=', orgId)
    .where('grant_id', '=', grantId)
    .executeTakeFirstOrThrow();
  return entries;
}

export async function linesOfEntry(tx: Transaction<Tables>, entryId: string): Promise<Lines> {
  const lines = await tx
    .selectFrom('ledger_lines')
    .select(['account', 'cents'])
    .where('entry_id', '=', entryId)
    .execute();
  return Object.fromEntries(lines.map(({ account, cents }) => [account, cents]));
}

/** A grant that was promised or paid, with what the public sees of its installer. */
export type PublicGrantRow = Selectable<Tables['grants']> & {
  /** Null where the installer has no page that is shown. */
  readonly shown_installer: string | null;
};

/** Those of a home, the oldest first. */
export async function grantsOfHome(db: Kysely<Tables>, orgId: string, awardeeId: string): Promise<PublicGrantRow[]> {
  return db
    .selectFrom('grants')
    .leftJoin('installers', (join) =>
      join.onRef('installers.id', '=', 'installer_id').on('installers.status', '=', 'published'),
    )
    .selectAll('grants')
    .select('installers.name as shown_installer')
    .where('grants.org_id', '=', orgId)
    .where('awardee_id', '=', awardeeId)
    .where((grant) => grant.or([grant('promised_on', 'is not', null), grant('paid_on', 'is not', null)]))
    .orderBy('grants.created_at')
    .orderBy('grants.id')
    .execute();
}

export type HomeRow = Pick<Selectable<Tables['grants']>, 'awardee_id' | 'measures' | 'shown' | 'done_on'> & {
  readonly name: string;
};

/** The homes that are shown where an installer finished work, and whose households let the public see it; the newest first. */
export async function homesOfInstaller(db: Kysely<Tables>, orgId: string, installerId: string): Promise<HomeRow[]> {
  return db
    .selectFrom('grants')
    .innerJoin('awardees', (join) =>
      join.onRef('awardees.id', '=', 'awardee_id').on('awardees.status', '=', 'published'),
    )
    .select(['awardee_id', 'measures', 'shown', 'done_on', 'awardees.name'])
    .where('grants.org_id', '=', orgId)
    .where('installer_id', '=', installerId)
    .where('done_on', 'is not', null)
    .where(sql<boolean>`'installer' = any(shown)`)
    .orderBy('grants.created_at', 'desc')
    .orderBy('grants.id')
    .execute();
}
