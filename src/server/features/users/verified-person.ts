import type { Kysely } from 'kysely';
import type { Actor } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { type UserRow, userById, verifiedUserOf } from './users.store.ts';

/** Somebody whose address is proven: only then can anything be owned (decisions §4). */
export type VerifiedPerson = { readonly userId: string; readonly email: string; readonly displayName: string };

/** The person who calls; nothing for a visitor, or where the address is not proven. */
export async function verifiedPerson(db: Kysely<Tables>, actor: Actor): Promise<VerifiedPerson | undefined> {
  return actor.kind === 'user' && actor.emailVerified ? personOf(await userById(db, actor.userId)) : undefined;
}

/** The person whose address this is, if that is proven. */
export async function ownerOfAddress(db: Kysely<Tables>, email: string): Promise<VerifiedPerson | undefined> {
  return personOf(await verifiedUserOf(db, email.toLowerCase()));
}

function personOf(row: UserRow | undefined): VerifiedPerson | undefined {
  return row && { userId: row.id, email: row.email, displayName: row.display_name };
}
