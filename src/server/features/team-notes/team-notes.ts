import type { TeamNote } from '#contract/schemas/team-notes.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import { teamNoteFailure } from '#domain/team-note.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import {
  deleteNotesUntil,
  findNote,
  findNoteSubject,
  insertNote,
  listDonorNotes,
  listGiftNotes,
  markNoteDeleted,
  type NoteKey,
  type NoteRow,
} from './team-notes.store.ts';

/** Reads the team's notes about a checkout or check, oldest first. */
export async function readGiftNotes({ db }: Pick<AppDeps, 'db'>, orgId: OrgId, giftId: string): Promise<TeamNote[]> {
  return (await listGiftNotes(db.kysely, orgId, giftId)).map(presentNote);
}

/** Reads the team's notes about a donor and the donors merged into it, oldest first. */
export async function readDonorNotes({ db }: Pick<AppDeps, 'db'>, orgId: OrgId, donorId: string): Promise<TeamNote[]> {
  return (await listDonorNotes(db.kysely, orgId, donorId)).map(presentNote);
}

/**
 * Adds a note about a checkout, check, or donor. The caller chooses the id, so that repeating the call doesn't add a
 * second note. Repeating it after the note was deleted restores the note with its author and time. The author can repeat
 * it with a corrected text.
 * @returns Failure no-note, note-too-long, note-subject-not-found
 */
export async function addTeamNote(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: NoteKey,
  { subjectid: subjectId, text }: ParsedBody<'addTeamNote'>,
  authorId: UserId,
): Promise<TeamNote | Failure> {
  const failure = addField('text', teamNoteFailure(text));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const { orgId, noteId } = key;
    const subject = await findNoteSubject(tx, orgId, subjectId);
    if (!subject) return new Failure('note-subject-not-found');
    const noteFields = { id: noteId, org_id: orgId, text: text.trim(), author_id: authorId, created_at: now() };
    await insertNote(tx, { ...noteFields, [subject.column]: subject.id });
    const row = await findNote(tx, key);
    return row ? presentNote(row) : new Failure('note-subject-not-found');
  });
}

/** Deletes a note. Adding it again within a day restores it. @returns Failure note-not-found */
export async function removeTeamNote(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: NoteKey,
): Promise<Record<string, never> | Failure> {
  const isRemoved = await inTransaction(db, (tx) => markNoteDeleted(tx, key, now()));
  return isRemoved ? {} : new Failure('note-not-found');
}

/** Permanently removes notes that were deleted at least a day ago. */
export async function sweepTeamNotes({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteNotesUntil(db.kysely, new Date(now().getTime() - DAY_MS));
}

export const sweepTeamNotesJob = defineRecurringJob({
  name: 'sweep-team-notes',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepTeamNotes,
});

function presentNote({ id, text, author_name, created_at }: NoteRow): TeamNote {
  return { id, text, by: author_name && makeDisplaySafe(author_name), createdTimestamp: created_at.toISOString() };
}
