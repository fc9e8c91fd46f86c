import { useState } from 'react';
import type { DonorNote, DonorRecord } from '#contract/schemas/donors.ts';
import { DONOR_NOTE_MAXIMUM, donorNoteFailure } from '#domain/donor.ts';
import { useForm } from '#web/api/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Card, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { useDates } from '../use-dates.ts';
import { useRowChange } from '../use-row-change.ts';
import styles from './donors.module.css';

type DonorNotesProps = { orgId: string; donor: DonorRecord; canManage: boolean };

/** The team's notes about a donor. The donor doesn't see them, except in the download of all data. */
export function DonorNotes({ orgId, donor, canManage }: DonorNotesProps) {
  return (
    <Card aria-labelledby="notes">
      <h2 id="notes">Team notes</h2>
      {canManage && <NoteForm orgId={orgId} donorId={donor.id} />}
      {donor.notes.length === 0 && !canManage && <p>No notes yet.</p>}
      <ul className={styles.rows}>
        {donor.notes.map((note) => (
          <NoteRow key={note.id} orgId={orgId} donorId={donor.id} note={note} canManage={canManage} />
        ))}
      </ul>
    </Card>
  );
}

type NoteRowProps = { orgId: string; donorId: string; note: DonorNote; canManage: boolean };

type NoteChange = { readonly text: string } | 'remove';

function NoteRow({ orgId, donorId, note, canManage }: NoteRowProps) {
  const api = useApi();
  const { momentText } = useDates();
  const params = { orgid: orgId, donorid: donorId, noteid: note.id };
  const { change, busy } = useRowChange<NoteChange>(async (next) => {
    if (next === 'remove') {
      await api.call('removeDonorNote', { params });
      return { message: 'Note deleted', undo: { text: note.text } };
    }
    await api.call('addDonorNote', { params, body: next });
    return { message: 'Note restored', undo: undefined };
  });
  return (
    <li>
      <span className={styles.noteText}>
        {note.text}
        <small>
          {note.by ?? 'A former member of the team'},{' '}
          <time dateTime={note.createdTimestamp}>{momentText(note.createdTimestamp)}</time>
        </small>
      </span>
      {canManage && (
        <Button kind="quiet" disabled={busy} onClick={() => change('remove')}>
          Delete<VisuallyHidden> the note {note.text}</VisuallyHidden>
        </Button>
      )}
    </li>
  );
}

function NoteForm({ orgId, donorId }: { orgId: string; donorId: string }) {
  const api = useApi();
  const toast = useToast();
  // The same id for every try: if a response is lost, trying again adds the note once.
  const [noteId, setNoteId] = useState(() => crypto.randomUUID());
  const { values, setValues, fieldProps, busy, problem, submit } = useForm({
    initial: { text: '' },
    fields: ['text'],
    problemsOf: ({ text }) => {
      const failure = donorNoteFailure(text);
      return failure ? { text: failure.message } : {};
    },
  });
  const add = async () => {
    const params = { orgid: orgId, donorid: donorId, noteid: noteId };
    await api.call('addDonorNote', { params, body: { text: values.text } });
    setValues({ text: '' });
    setNoteId(crypto.randomUUID());
    toast('Note added');
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(add);
      }}
    >
      <Stack gap={3}>
        <TextArea
          label="New note"
          hint="Only the team sees it."
          rows={3}
          maxLength={DONOR_NOTE_MAXIMUM}
          {...fieldProps('text')}
        />
        <Problem>{problem}</Problem>
        <div>
          <Button type="submit" kind="outline" busy={busy}>
            Add note
          </Button>
        </div>
      </Stack>
    </form>
  );
}
