import type { Kysely } from 'kysely';
import type { Actor } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
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

/** Somebody by the id, whatever is proven of the address; nothing once the account is deleted. */
export async function personById(db: Database, userId: string): Promise<VerifiedPerson | undefined> {
  return personOf(await userById(db.kysely, userId));
}

function personOf(row: UserRow | undefined): VerifiedPerson | undefined {
  return row && { userId: row.id, email: row.email, displayName: row.display_name };
}
