import type { TeamNote } from '#contract/schemas/team-note.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { Failure } from '#domain/failures.ts';
import { formFailure } from '#domain/form-failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { visibleLength } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { withField } from '#server/http/problems.ts';
import {
  deleteNote,
  insertNote,
  type NoteKey,
  type NoteRow,
  noteById,
  noteColumn,
  notesByGift,
} from './gift-notes.store.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/** The team's notes about a checkout or check, oldest first. */
export async function notesOf({ db }: Pick<AppDeps, 'db'>, orgId: OrgId, giftId: string): Promise<TeamNote[]> {
  return (await notesByGift(db.kysely, orgId, giftId)).map(presentNote);
}

/**
 * Adds a note to a checkout or check. The caller chooses the id, so that repeating the call adds no second note.
 * @returns Failure note-too-long, checkout-not-found
 */
export async function addNote(
  { db, now }: Deps,
  key: NoteKey,
  { giftid: giftId, text }: ParsedBody<'addGiftNote'>,
  authorId: UserId,
): Promise<TeamNote | Failure> {
  const note = text.trim();
  const failure =
    visibleLength(note) > NOTE_MAXIMUM
      ? withField('text', formFailure('note-too-long', { most: NOTE_MAXIMUM }))
      : undefined;
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const { orgId, noteId } = key;
    const column = await noteColumn(tx, orgId, giftId);
    if (!column) return new Failure('checkout-not-found');
    const facts = { id: noteId, org_id: orgId, note, author_id: authorId, created_at: now() };
    await insertNote(tx, { ...facts, [column]: giftId });
    const row = await noteById(tx, key);
    return row ? presentNote(row) : new Failure('checkout-not-found');
  });
}

/** @returns Failure note-not-found */
export async function removeNote({ db }: Pick<AppDeps, 'db'>, key: NoteKey): Promise<Record<string, never> | Failure> {
  const isRemoved = await inTransaction(db, (tx) => deleteNote(tx, key));
  return isRemoved ? {} : new Failure('note-not-found');
}

function presentNote({ id, note, by, created_at }: NoteRow): TeamNote {
  return { id, text: note, by, createdTimestamp: created_at.toISOString() };
}
