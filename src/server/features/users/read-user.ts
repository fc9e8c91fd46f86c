import type { User } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import { userById } from '#server/users/find-user.ts';
import { presentUser } from './users.present.ts';
import { providersOf, usersPage } from './users.store.ts';

/** @returns Failure user-not-found */
export async function readUser(db: Database, userId: string): Promise<User | Failure> {
  const row = await userById(db.kysely, userId);
  if (!row) return new Failure('user-not-found');
  return presentUser(row, (await providersOf(db.kysely, [userId])).get(userId));
}

export type UsersPart = { readonly users: User[]; readonly nextCursor: string | undefined };

/** A part of all people, of those whose name or address has this text in it. */
export async function searchUsers(db: Database, page: Page, text: string): Promise<UsersPart> {
  // One more than asked for says whether there is more, without a count of all.
  const rows = await usersPage(db, { ...page, max: page.max + 1 }, text.trim());
  const shown = rows.slice(0, page.max);
  const providers = await providersOf(
    db.kysely,
    shown.map(({ id }) => id),
  );
  return {
    users: shown.map((row) => presentUser(row, providers.get(row.id))),
    nextCursor: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}
