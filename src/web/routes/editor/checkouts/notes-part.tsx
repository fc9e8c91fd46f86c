import type { GiftNote } from '#contract/schemas/gift-notes.ts';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useForm } from '#web/api/use-form.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from '../treasury.module.css';
import { useDates } from '../use-dates.ts';

type NotesPartProps = { orgId: string; giftId: string; notes: readonly GiftNote[] };

/** The team's notes about a gift. Donors never see them. */
export function NotesPart({ orgId, giftId, notes }: NotesPartProps) {
  const canEdit = useCan(orgId)('gift-notes.edit');
  if (!canEdit && notes.length === 0) return null;
  return (
    <>
      <h3 className={styles.subheading}>Team notes</h3>
      <Stack gap={3}>
        {notes.length > 0 && (
          <ul className={styles.notes}>
            {notes.map((note) => (
              <Note key={note.id} orgId={orgId} note={note} canRemove={canEdit} />
            ))}
          </ul>
        )}
        {canEdit && <NoteForm orgId={orgId} giftId={giftId} />}
      </Stack>
    </>
  );
}

function Note({ orgId, note, canRemove }: { orgId: string; note: GiftNote; canRemove: boolean }) {
  const api = useApi();
  const { momentText } = useDates();
  const { run, busy, problem } = useAttempt();
  const remove = () => api.call('removeGiftNote', { params: { orgid: orgId, noteid: note.id } });
  return (
    <li>
      <p className={styles.message}>{note.text}</p>
      <div className={styles.byline}>
        {momentText(note.createdTimestamp)}, {note.by ?? 'deleted account'}
        {canRemove && (
          <Button kind="quiet" busy={busy} onClick={() => void run(remove)}>
            Remove<VisuallyHidden> the note “{note.text}”</VisuallyHidden>
          </Button>
        )}
      </div>
      <Problem inline>{problem}</Problem>
    </li>
  );
}

type NoteValues = { readonly id: string; readonly text: string };

/** The id stays the same for every attempt, so that a note whose response was lost isn't added twice. */
function newNote(): NoteValues {
  return { id: crypto.randomUUID(), text: '' };
}

function NoteForm({ orgId, giftId }: { orgId: string; giftId: string }) {
  const api = useApi();
  const form = useForm<NoteValues, 'text'>({ initial: newNote(), fields: ['text'] });
  const { id, text } = form.values;
  const add = async () => {
    const body = { giftid: giftId, text: text.trim() };
    await api.call('addGiftNote', { params: { orgid: orgId, noteid: id }, body });
    form.setValues(newNote());
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void form.submit(add);
      }}
    >
      <Stack gap={2}>
        <TextArea
          label="Add a note for your team"
          rows={2}
          maxLength={NOTE_MAXIMUM}
          value={text}
          disabled={form.busy}
          error={form.errorOf('text', false)}
          onChange={({ currentTarget }) => form.change({ text: currentTarget.value })}
        />
        {text.trim() !== '' && (
          <div>
            <Button type="submit" kind="outline" busy={form.busy}>
              Add note
            </Button>
          </div>
        )}
        <Problem inline>{form.problem}</Problem>
      </Stack>
    </form>
  );
}
