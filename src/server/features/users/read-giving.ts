import type { Giving } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { readGifts } from '#server/features/gifts/read-gifts.ts';
import { readOwnOffsetters } from '#server/features/stories/read-own-offsetters.ts';
import { verifiedPerson } from './verified-person.ts';

/**
 * What the bearer gave, in all organisations: made signed in, or paid with the proven address; and the bearer's
 * offsetters (decisions §4).
 * @returns Failure user-not-found
 */
export async function readGiving(deps: Pick<AppDeps, 'db' | 'now'>, actor: Actor): Promise<Giving | Failure> {
  const person = await verifiedPerson(deps.db.kysely, actor);
  if (!person) return new Failure('user-not-found');
  const { userId, email: provenEmail } = person;
  const offsetters = await readOwnOffsetters(deps.db, userId);
  return { gifts: await readGifts(deps, { userId, provenEmail }, offsetters), offsetters };
}
