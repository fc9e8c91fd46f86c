import type { Transaction } from 'kysely';
import type { User } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { userById } from '#server/users/find-user.ts';
import { isLastAdmin } from './last-admin.ts';
import { readUser } from './read-user.ts';
import { changeAdmin } from './users.store.ts';

/**
 * Makes somebody an admin, or takes it away and ends that person's sessions. It is told apart from what is so already,
 * which changes nothing.
 * @returns Failure user-not-found, last-admin
 */
export async function setAdmin(db: Database, userId: string, admin: boolean): Promise<User | Failure> {
  const refusal = await inTransaction(db, (tx) => change(tx, userId, admin));
  return refusal ?? readUser(db, userId);
}

async function change(tx: Transaction<Tables>, userId: string, admin: boolean): Promise<Failure | undefined> {
  if (!admin && (await isLastAdmin(tx, userId))) return new Failure('last-admin');
  const user = await userById(tx, userId);
  if (!user) return new Failure('user-not-found');
  if (user.admin === admin) return undefined;
  await changeAdmin(tx, userId, admin);
  if (!admin) await endSessions(tx, userId);
  return undefined;
}
