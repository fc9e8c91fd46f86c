import type { Kysely } from 'kysely';
import type { Authorization, ListedUser, User } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import type { PageRequest } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { readHomesByGift } from '#server/features/allocation/read-gift-homes.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { presentUserData } from './user-data.present.ts';
import { readUserData, toDataOwner, type UserData } from './user-data.store.ts';
import { presentAuthorization, presentUser } from './users.present.ts';
import { findLoginMethods, findNamedRoles, findRoles, findUsers } from './users.store.ts';

/** @returns Failure user-not-found */
export async function readUser(db: Database, userId: UserId): Promise<User | Failure> {
  const row = await findUserRow(db.kysely, userId);
  if (!row) return new Failure('user-not-found');
  return presentUser(row, (await findLoginMethods(db.kysely, [userId])).get(userId));
}

/** @param text part of a name or address; '' matches all users */
export async function searchUsers(db: Database, page: PageRequest, text: string): Promise<ListPage<ListedUser[]>> {
  const rows = await findUsers(db, { ...page, max: page.max + 1 }, text.trim());
  const ids = rows.map(({ id }) => id);
  const [loginMethods, roles] = [await findLoginMethods(db.kysely, ids), await findNamedRoles(db.kysely, ids)];
  return createListPage(rows, page.max, (row) => ({
    ...presentUser(row, loginMethods.get(row.id)),
    roles: roles
      .filter(({ user_id }) => user_id === row.id)
      .map(({ org_id, org_name, role }) => ({ orgid: org_id, orgName: org_name, role })),
  }));
}

/** Returns a user's identity and permissions (decisions §4). @returns Failure user-not-found */
export async function authorize(db: Kysely<Tables>, userId: UserId): Promise<Authorization | Failure> {
  const row = await findUserRow(db, userId);
  return row ? presentAuthorization(row, await findRoles(db, userId)) : new Failure('user-not-found');
}

/** Exports everything stored about a user (decisions §4). @returns Failure user-not-found */
export async function downloadUser(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  userId: UserId,
): Promise<Record<string, unknown> | Failure> {
  const user = await findUserRow(db.kysely, userId);
  if (!user) return new Failure('user-not-found');
  const data = await readUserData(db.kysely, toDataOwner(user));
  return { ...presentUserData(data, now()), giftHomes: await readHomesByGift({ db, now }, listGifts(data)) };
}

/** Lists the ledger entries of the user's own gifts, without entries that the user posted as an editor. */
function listGifts({ checkouts, pledges, ledgerEntries }: UserData) {
  const giftIds = new Set([...checkouts, ...pledges].map(({ id }) => id));
  return ledgerEntries
    .filter(({ checkout_id, pledge_id }) => giftIds.has(checkout_id ?? '') || giftIds.has(pledge_id ?? ''))
    .map(({ id, org_id }) => ({ entryId: id, orgId: org_id }));
}
