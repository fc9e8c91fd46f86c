import type { Kysely } from 'kysely';
import type { Authorization } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { userById } from '#server/users/find-user.ts';
import { presentAuthorization } from './users.present.ts';
import { organizationsEditedBy } from './users.store.ts';

/** Who somebody is, and what that person may do (decisions §4). @returns Failure user-not-found */
export async function authorize(db: Kysely<Tables>, userId: string): Promise<Authorization | Failure> {
  const row = await userById(db, userId);
  return row ? presentAuthorization(row, await organizationsEditedBy(db, userId)) : new Failure('user-not-found');
}
