import { type Insertable, type Kysely, sql } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { nameOfUser } from '#server/entities/find-user.ts';

export type NoteKey = { readonly orgId: OrgId; readonly noteId: string };

export type NoteRow = {
  readonly id: string;
  readonly note: string;
  readonly by: string | null;
  readonly created_at: Date;
};

/** The notes about a checkout or check, oldest first. */
export function notesByGift(db: Kysely<Tables>, orgId: OrgId, giftId: string): Promise<NoteRow[]> {
  return selectNotes(db, orgId)
    .where((row) => row.or([row('checkout_id', '=', giftId), row('pledge_id', '=', giftId)]))
    .orderBy('gift_notes.created_at')
    .orderBy('gift_notes.id')
    .execute();
}

export function noteById(db: Kysely<Tables>, { orgId, noteId }: NoteKey): Promise<NoteRow | undefined> {
  return selectNotes(db, orgId).where('gift_notes.id', '=', noteId).executeTakeFirst();
}

function selectNotes(db: Kysely<Tables>, orgId: OrgId) {
  return db
    .selectFrom('gift_notes')
    .leftJoin('users', 'users.id', 'gift_notes.author_id')
    .select(['gift_notes.id', 'gift_notes.note', 'gift_notes.created_at'])
    .select(nameOfUser().as('by'))
    .where('gift_notes.org_id', '=', orgId);
}

/** @returns the column for a gift's id; undefined if the organization has no such checkout or check */
export async function noteColumn(
  db: Kysely<Tables>,
  orgId: OrgId,
  giftId: string,
): Promise<'checkout_id' | 'pledge_id' | undefined> {
  const { rows } = await sql<{ column: 'checkout_id' | 'pledge_id' }>`
    select 'checkout_id' as column from checkouts where org_id = ${orgId} and id = ${giftId} and deleted_at is null
    union all select 'pledge_id' from pledges where org_id = ${orgId} and id = ${giftId}`.execute(db);
  return rows[0]?.column;
}

/** Adds a note, unless one with this id exists. */
export async function insertNote(db: Kysely<Tables>, note: Insertable<Tables['gift_notes']>): Promise<void> {
  await db
    .insertInto('gift_notes')
    .values(note)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** @returns false if there is no such note */
export async function deleteNote(db: Kysely<Tables>, { orgId, noteId }: NoteKey): Promise<boolean> {
  const note = db.deleteFrom('gift_notes').where('org_id', '=', orgId).where('id', '=', noteId);
  return (await note.returning('id').executeTakeFirst()) !== undefined;
}
