import { type Insertable, type Kysely, type SqlBool, sql } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';

export type NoteKey = { readonly orgId: OrgId; readonly noteId: string };

export type NoteRow = {
  readonly id: string;
  readonly text: string;
  readonly author_name: string | null;
  readonly created_at: Date;
};

/** Lists the notes about a checkout or check, oldest first. */
export function listGiftNotes(db: Kysely<Tables>, orgId: OrgId, giftId: string): Promise<NoteRow[]> {
  return selectNotes(db, orgId)
    .where((row) => row.or([row('checkout_id', '=', giftId), row('pledge_id', '=', giftId)]))
    .execute();
}

/** Lists the notes about a donor and the donors merged into it, oldest first. */
export function listDonorNotes(db: Kysely<Tables>, orgId: OrgId, donorId: string): Promise<NoteRow[]> {
  const members = sql`(select id from donors where org_id = ${orgId} and (id = ${donorId} or merged_into_id = ${donorId}))`;
  return selectNotes(db, orgId).where(sql<SqlBool>`team_notes.donor_id in ${members}`).execute();
}

export function findNote(db: Kysely<Tables>, { orgId, noteId }: NoteKey): Promise<NoteRow | undefined> {
  return selectNotes(db, orgId).where('team_notes.id', '=', noteId).executeTakeFirst();
}

function selectNotes(db: Kysely<Tables>, orgId: OrgId) {
  return db
    .selectFrom('team_notes')
    .leftJoin('users', 'users.id', 'team_notes.author_id')
    .select(['team_notes.id', 'team_notes.text', 'team_notes.created_at'])
    .select(selectUserName().as('author_name'))
    .where('team_notes.org_id', '=', orgId)
    .where('team_notes.deleted_at', 'is', null)
    .orderBy('team_notes.created_at')
    .orderBy('team_notes.id');
}

type NoteSubject = { readonly column: 'checkout_id' | 'pledge_id' | 'donor_id'; readonly id: string };

/**
 * Finds the column for the checkout, check, or donor with this id, and its value. A note about a merged donor is about the
 * donor they were merged into.
 * @returns undefined if the organization has no such checkout, check, or donor
 */
export async function findNoteSubject(
  db: Kysely<Tables>,
  orgId: OrgId,
  subjectId: string,
): Promise<NoteSubject | undefined> {
  const { rows } = await sql<NoteSubject>`
    select 'checkout_id' as column, id from checkouts where org_id = ${orgId} and id = ${subjectId} and deleted_at is null
    union all select 'pledge_id', id from pledges where org_id = ${orgId} and id = ${subjectId}
    union all select 'donor_id', coalesce(merged_into_id, id) from donors where org_id = ${orgId} and id = ${subjectId}`.execute(
    db,
  );
  return rows[0];
}

/**
 * Adds a note. If the organization already has a note with this id, restores that note if it was deleted and, for the
 * same author, replaces its text.
 */
export async function insertNote(db: Kysely<Tables>, note: Insertable<Tables['team_notes']>): Promise<void> {
  await db
    .insertInto('team_notes')
    .values(note)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          deleted_at: null,
          text: sql`case when team_notes.author_id = excluded.author_id then excluded.text else team_notes.text end`,
        })
        .where('team_notes.org_id', '=', note.org_id),
    )
    .execute();
}

/** Hides a note, which can be restored later. @returns false if there is no such note */
export async function markNoteDeleted(db: Kysely<Tables>, { orgId, noteId }: NoteKey, time: Date): Promise<boolean> {
  const note = db
    .updateTable('team_notes')
    .set({ deleted_at: time })
    .where('org_id', '=', orgId)
    .where('id', '=', noteId)
    .where('deleted_at', 'is', null);
  return (await note.returning('id').executeTakeFirst()) !== undefined;
}

/** Permanently removes the notes that were deleted at or before a time. @param time inclusive */
export async function deleteNotesUntil(db: Kysely<Tables>, time: Date): Promise<void> {
  await db.deleteFrom('team_notes').where('deleted_at', '<=', time).execute();
}
