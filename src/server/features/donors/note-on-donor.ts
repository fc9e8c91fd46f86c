import type { TeamNote } from '#contract/schemas/team-note.ts';
import { donorNoteFailure } from '#domain/donor.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { withField } from '#server/http/problems.ts';
import { type DonorKey, deleteNote, findDonor, insertNote, notesOf } from './donors.store.ts';
import { presentNote } from './read-donors.ts';

/**
 * Adds a note of the team about a donor. The caller chooses the id, so that repeating the call adds the note once.
 * @returns Failure donor-not-found, no-note, note-too-long
 */
export async function addDonorNote(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: DonorKey,
  { id, text, userId }: { readonly id: string; readonly text: string; readonly userId: UserId },
): Promise<TeamNote | Failure> {
  const failure = withField('text', donorNoteFailure(text));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const donor = await findDonor(tx, key);
    if (!donor) return new Failure('donor-not-found');
    const donorKey = { orgId: key.orgId, donorId: donor.id };
    await insertNote(tx, { ...donorKey, id, text: text.trim(), userId, at: now() });
    const note = (await notesOf(tx, donorKey)).find((each) => each.id === id);
    return note ? presentNote(note) : new Failure('donor-not-found');
  });
}

/** Deletes a note about a donor or one joined with it. @returns Failure donor-not-found */
export async function removeDonorNote(
  { db }: Pick<AppDeps, 'db'>,
  key: DonorKey,
  noteId: string,
): Promise<Record<string, never> | Failure> {
  if (!(await findDonor(db.kysely, key))) return new Failure('donor-not-found');
  await deleteNote(db.kysely, key.orgId, noteId);
  return {};
}
