import type { Kysely } from 'kysely';
import type { Actor } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { offsetterOf } from '#server/features/stories/own-offsetter.ts';
import type { SubmittedStory } from '#server/features/stories/submitted-story.ts';
import type { UserFacts } from '#server/users/find-user.ts';
import type { CheckoutRow } from './checkouts.store.ts';

/**
 * The offsetter that the bearer has already in the organisation of a checkout, after which nobody asks for another
 * (§4). A checkout that another person made is not the bearer's, whoever holds its link.
 */
export async function offsetterOfBearer(
  db: Kysely<Tables>,
  checkout: Pick<CheckoutRow, 'org_id' | 'user_id'>,
  actor: Actor,
): Promise<SubmittedStory | undefined> {
  if (actor.kind === 'visitor' || !actor.emailVerified) return undefined;
  if (checkout.user_id !== null && checkout.user_id !== actor.userId) return undefined;
  return offsetterOf(db, checkout.org_id, actor.userId);
}

/** Whether it is known that this person paid: the checkout was made signed in, or paid with the proven address. */
export function isPayer({ user_id, email }: CheckoutRow, { userId, email: proven }: UserFacts): boolean {
  return user_id === userId || (user_id === null && email?.toLowerCase() === proven);
}
