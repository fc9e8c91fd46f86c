import type { Kysely, Transaction } from 'kysely';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor, Subject } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { newestOffsetterOf, noteLastOffset, type OffsetterRow, offsetterById } from './offsetters.store.ts';
import { isOwner, presentOwnOffsetter } from './present-own-offsetter.ts';

export type OffsetterKey = { readonly orgId: string; readonly id: string };

/** Whose an offsetter is, for the permission table; one that is not there is nobody's. */
export async function offsetterSubject(db: Database, { orgId, id }: OffsetterKey): Promise<Subject> {
  const row = await offsetterById(db.kysely, orgId, id);
  return { orgId, ownerId: row?.user_id ?? undefined };
}

/** Whether an offsetter is the bearer's. */
export async function isOwnOffsetter(db: Database, { orgId, id }: OffsetterKey, actor: Actor): Promise<boolean> {
  if (actor.kind === 'visitor') return false;
  const row = await offsetterById(db.kysely, orgId, id);
  return row !== undefined && isOwner(row, actor);
}

/** The offsetter that somebody has in an organisation: the newest of them, whether it is shown or not. */
export function offsetterOf(db: Kysely<Tables>, orgId: string, userId: string): Promise<OffsetterRow | undefined> {
  return newestOffsetterOf(db, orgId, userId);
}

/** The offsetter of this id, whether it is shown or not. */
export function anyOffsetter(db: Kysely<Tables>, { orgId, id }: OffsetterKey): Promise<OffsetterRow | undefined> {
  return offsetterById(db, orgId, id);
}

/** Notes that somebody gave again. @returns the id of that person's offsetter, if there is one */
export async function noteGift(
  tx: Transaction<Tables>,
  { orgId, userId, at }: { readonly orgId: string; readonly userId: string; readonly at: Date },
): Promise<string | undefined> {
  const own = await newestOffsetterOf(tx, orgId, userId);
  if (own) await noteLastOffset(tx, orgId, own.id, at);
  return own?.id;
}

/** The bearer's own offsetter in an organisation (§2, My profile). @returns null for none */
export async function readMyOffsetter(db: Database, orgId: string, actor: Actor): Promise<EditableOffsetter | null> {
  if (actor.kind === 'visitor' || !actor.emailVerified) return null;
  const row = await newestOffsetterOf(db.kysely, orgId, actor.userId);
  return row ? presentOwnOffsetter(row, actor) : null;
}

/** @returns Failure offsetter-not-found */
export async function readOffsetterToEdit(
  db: Database,
  { orgId, id }: OffsetterKey,
  actor: Actor,
): Promise<EditableOffsetter | Failure> {
  const row = await offsetterById(db.kysely, orgId, id);
  return row ? presentOwnOffsetter(row, actor) : new Failure('offsetter-not-found');
}
