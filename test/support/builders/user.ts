import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds a user who can log in. @returns the id */
export async function addUser(db: Database, overrides: Partial<Insertable<Tables['users']>> = {}): Promise<string> {
  const id = overrides.id ?? `user-${randomUUID()}`;
  const user = { id, email: `${id}@example.org`, email_verified: true, display_name: 'Uma User' };
  await db.kysely
    .insertInto('users')
    .values({ ...user, ...overrides })
    .execute();
  return id;
}
