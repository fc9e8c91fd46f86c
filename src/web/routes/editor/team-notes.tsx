import { useRef } from 'react';
import type { TeamNote } from '#contract/schemas/team-notes.ts';
import { MAX_TEAM_NOTE_LENGTH } from '#domain/team-note.ts';
import { LeaveDialog, useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { DraftNote } from '#web/session/unsaved-draft-note.tsx';
import { useDraft } from '#web/session/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './team-notes.module.css';
import { useDates } from './use-dates.ts';
import { useRowChange } from './use-row-change.ts';

type NewNote = { readonly id: string; readonly text: string };

type NoteActions = {
  /** Adds a note, or restores a deleted one. Safe to repeat with the same id. */
  add: (note: NewNote) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
};

type TeamNotesProps = {
  orgId: string;
  /** Id of the checkout, check, or donor that the notes are about. */
  subjectId: string;
  notes: readonly TeamNote[];
};

/** The team's notes about a gift or donor. Donors can see notes about themselves only by downloading all their data. */
export function TeamNotes({ orgId, subjectId, notes }: TeamNotesProps) {
  const api = useApi();
  const canEdit = useCan(orgId)('team-notes.edit');
  const add = ({ id, text }: NewNote) =>
    api.call('addTeamNote', { params: { orgid: orgId, noteid: id }, body: { subjectid: subjectId, text } });
  const remove = (id: string) => api.call('removeTeamNote', { params: { orgid: orgId, noteid: id } });
  return (
    <Stack gap={3}>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <NoteRow key={note.id} note={note} canEdit={canEdit} add={add} remove={remove} />
          ))}
        </ul>
      )}
      {canEdit ? (
        <NoteForm key={subjectId} subjectId={subjectId} add={add} />
      ) : (
        notes.length === 0 && <p>No notes yet.</p>
      )}
    </Stack>
  );
}

function NoteRow({ note, canEdit, add, remove }: NoteActions & { note: TeamNote; canEdit: boolean }) {
  const { formatDateTime } = useDates();
  const { changeRow, isChanging } = useRowChange<'remove' | 'restore'>(async (change) => {
    if (change === 'restore') {
      await add(note);
      return { message: 'Note restored', undo: undefined };
    }
    await remove(note.id);
    return { message: 'Note deleted', undo: 'restore' };
  });
  return (
    <li>
      <p className={styles.text}>{note.text}</p>
      <div className={styles.byline}>
        {note.by ?? 'deleted account'},{' '}
        <time dateTime={note.createdTimestamp}>{formatDateTime(note.createdTimestamp)}</time>
        {canEdit && (
          <Button kind="quiet" busy={isChanging} onClick={() => changeRow('remove')}>
            Delete<VisuallyHidden> the note “{note.text}”</VisuallyHidden>
          </Button>
        )}
      </div>
    </li>
  );
}

/** Every attempt uses the same id, so that a retry after a lost response doesn't add the note twice. */
function createNote(): NewNote {
  return { id: crypto.randomUUID(), text: '' };
}

const NO_TEXT = { text: '' };

function NoteForm({ subjectId, add }: Pick<TeamNotesProps, 'subjectId'> & Pick<NoteActions, 'add'>) {
  const form = useForm<NewNote, 'text'>({ initial: createNote(), fields: ['text'] });
  const { id, text } = form.values;
  const isUnsaved = text.trim() !== '';
  const draft = useDraft({
    name: `note-${subjectId}`,
    values: { text },
    base: NO_TEXT,
    savedValues: NO_TEXT,
    isUnsaved,
    restore: form.change,
  });
  const { proceed, stay } = useLeaveGuard(isUnsaved);
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = async () => {
    await add({ id, text: text.trim() });
    form.setValues(createNote());
    draft.clear();
    // Moves the focus, because the focused button disappears.
    field.current?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isUnsaved) void form.submit(submit);
      }}
    >
      <Stack gap={2}>
        <DraftNote draft={draft} />
        <TextArea
          ref={field}
          label="Add a note for your team"
          rows={2}
          maxLength={MAX_TEAM_NOTE_LENGTH}
          value={text}
          readOnly={form.busy}
          error={form.errorOf('text', false)}
          onChange={({ currentTarget }) => form.change({ text: currentTarget.value })}
        />
        {isUnsaved && (
          <div>
            <Button type="submit" kind="outline" busy={form.busy}>
              Add note
            </Button>
          </div>
        )}
        <Problem inline>{form.problem}</Problem>
      </Stack>
      <LeaveDialog proceed={proceed} stay={stay} />
    </form>
  );
}
