import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { userById } from '#server/users/find-user.ts';
import { personOf } from './person.ts';
import { presentPersonData } from './person-data.present.ts';
import { rowsOfPerson } from './person-rows.store.ts';

/**
 * Everything that is kept of a person. What has the address alone is told only where that is proven.
 * @returns Failure user-not-found
 */
export async function downloadUser(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  userId: string,
): Promise<Record<string, unknown> | Failure> {
  const user = await userById(db.kysely, userId);
  if (!user) return new Failure('user-not-found');
  return presentPersonData(await rowsOfPerson(db.kysely, personOf(user)), now());
}
