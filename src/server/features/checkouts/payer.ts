import type { Kysely } from 'kysely';
import type { Actor } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutRow } from '#server/entities/find-checkout.ts';
import type { UserFacts } from '#server/entities/find-user.ts';
import { findNewestOffsetter, type OffsetterRow } from '#server/features/stories/offsetters.ts';

/**
 * Finds the caller's existing offsetter in the checkout's organization, which makes the profile step unnecessary (§4).
 * Undefined if the checkout belongs to someone else.
 */
export async function findCallerOffsetter(
  db: Kysely<Tables>,
  checkout: Pick<CheckoutRow, 'org_id' | 'user_id'>,
  actor: Actor,
): Promise<OffsetterRow | undefined> {
  if (actor.kind === 'visitor' || !actor.emailVerified) return undefined;
  if (checkout.user_id !== null && checkout.user_id !== actor.userId) return undefined;
  return findNewestOffsetter(db, checkout.org_id, actor.userId);
}

/**
 * True if this browser opened the checkout.
 * @param creatorHash the hash of the browser's cookie, if any
 */
export function isCreator({ creator_hash }: Pick<CheckoutRow, 'creator_hash'>, creatorHash?: string): boolean {
  return creatorHash !== undefined && creator_hash === creatorHash;
}

/** True if this user opened the checkout while signed in, or paid it with the verified email address. */
export function isPayer({ user_id, email }: CheckoutRow, { userId, email: verifiedEmail }: UserFacts): boolean {
  return user_id === userId || (user_id === null && email?.toLowerCase() === verifiedEmail);
}
