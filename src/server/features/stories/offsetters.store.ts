import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { parseLanguage } from '#contract/languages.ts';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import type { Language } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';

/** An offsetter in any status. */
export type OffsetterRow = Selectable<Tables['offsetters']>;

/** Finds the offsetter submitted with a checkout. A checkout has at most one. */
export function findOffsetterByCheckout(
  db: Kysely<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<OffsetterRow | undefined> {
  return db
    .selectFrom('offsetters')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .$if(lock === 'locked', (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Hides the story of a refunded gift (decisions §3). */
export async function hideAfterRefund(tx: Transaction<Tables>, orgId: OrgId, id: string): Promise<void> {
  await tx
    .updateTable('offsetters')
    .set({ status: 'hidden', hidden_by_refund: true })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('status', '=', 'published')
    .execute();
}

/** Republishes a story hidden by a refund, once the gift counts as paid again. A story hidden by an editor stays hidden. */
export async function unhideAfterFailedReturn(tx: Transaction<Tables>, orgId: OrgId, id: string): Promise<void> {
  await tx
    .updateTable('offsetters')
    .set({ status: 'published', hidden_by_refund: false })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('status', '=', 'hidden')
    .where('hidden_by_refund', '=', true)
    .execute();
}

export function findOffsetter(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<OffsetterRow | undefined> {
  return selectOffsetter(db, orgId, id).executeTakeFirst();
}

export function lockOffsetter(tx: Transaction<Tables>, orgId: OrgId, id: string): Promise<OffsetterRow | undefined> {
  return selectOffsetter(tx, orgId, id).forUpdate().executeTakeFirst();
}

/** Finds the language for emails to a story's author: the account's language, or else the checkout's. */
export async function findAuthorLanguage(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<Language> {
  const author = await db
    .selectFrom('offsetters')
    .leftJoin('users', 'users.id', 'offsetters.user_id')
    .leftJoin('checkouts', 'checkouts.id', 'offsetters.checkout_id')
    .select(sql<string | null>`case when users.id is null then checkouts.language else users.language end`.as('name'))
    .where('offsetters.org_id', '=', orgId)
    .where('offsetters.id', '=', id)
    .executeTakeFirst();
  return parseLanguage(author?.name);
}

function selectOffsetter(db: Kysely<Tables>, orgId: OrgId, id: string) {
  return db.selectFrom('offsetters').selectAll().where('org_id', '=', orgId).where('id', '=', id);
}

export function findNewestOffsetter(
  db: Kysely<Tables>,
  orgId: OrgId,
  userId: UserId,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<OffsetterRow | undefined> {
  return db
    .selectFrom('offsetters')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .$if(lock === 'locked', (query) => query.forUpdate())
    .executeTakeFirst();
}

export type OffsetterWithOrgRow = OffsetterRow & { readonly org_name: string };

export function listUserOffsetters(db: Kysely<Tables>, userId: UserId): Promise<OffsetterWithOrgRow[]> {
  return db
    .selectFrom('offsetters')
    .innerJoin('orgs', 'orgs.id', 'offsetters.org_id')
    .selectAll('offsetters')
    .select('orgs.name as org_name')
    .where('offsetters.user_id', '=', userId)
    .orderBy('offsetters.created_at', 'desc')
    .orderBy('offsetters.id', 'desc')
    .execute();
}

export function changeOffsetter(
  tx: Transaction<Tables>,
  { orgId, id }: { readonly orgId: OrgId; readonly id: string },
  change: Updateable<Tables['offsetters']>,
): Promise<OffsetterRow> {
  return tx
    .updateTable('offsetters')
    .set(change)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Records the time of the latest gift. A late report about an earlier gift changes nothing. */
export async function recordLastOffset(
  tx: Transaction<Tables>,
  orgId: OrgId,
  id: string,
  giftTime: Date,
): Promise<void> {
  await tx
    .updateTable('offsetters')
    .set({ last_offset_at: sql<Date>`greatest(last_offset_at, ${giftTime}::timestamptz)` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}

/** @returns the offsetter's photo; undefined if there is no such offsetter */
export async function deleteOffsetterRow(
  tx: Transaction<Tables>,
  orgId: OrgId,
  id: string,
): Promise<{ readonly photo: StoredPhoto | null } | undefined> {
  return tx
    .deleteFrom('offsetters')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('photo')
    .executeTakeFirst();
}

export function insertOffsetter(
  tx: Transaction<Tables>,
  offsetter: Insertable<Tables['offsetters']>,
): Promise<OffsetterRow> {
  return tx.insertInto('offsetters').values(offsetter).returningAll().executeTakeFirstOrThrow();
}

/**
 * Assigns offsetters without an owner to the user with their verified email address, in all organizations.
 * @param address in lower case; the caller must hold its lock
 */
export async function assignOffsetters(tx: Transaction<Tables>, address: string, userId: UserId): Promise<void> {
  await tx
    .updateTable('offsetters')
    .set({ user_id: userId })
    .where('user_id', 'is', null)
    // The user must claim or decline a story with a pending claim.
    .where('claim', 'is', null)
    .where(sql<boolean>`lower(email) = ${address}`)
    .execute();
}

/** Lists stories submitted with an address while logged out that the address's owner hasn't claimed or declined yet. */
export function listUnclaimedStories(db: Kysely<Tables>, address: string): Promise<OffsetterWithOrgRow[]> {
  return db
    .selectFrom('offsetters')
    .innerJoin('orgs', 'orgs.id', 'offsetters.org_id')
    .selectAll('offsetters')
    .select('orgs.name as org_name')
    .where('offsetters.claim', '=', 'pending')
    .where(sql<boolean>`lower(offsetters.email) = ${address}`)
    .orderBy('offsetters.created_at', 'desc')
    .execute();
}
