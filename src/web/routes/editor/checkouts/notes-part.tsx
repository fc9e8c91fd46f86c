import type { TeamNote } from '#contract/schemas/team-note.ts';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import styles from '../gift-record.module.css';
import { TeamNotes } from '../team-notes.tsx';

type NotesPartProps = { orgId: string; giftId: string; notes: readonly TeamNote[] };

/** The team's notes about a gift. */
export function NotesPart({ orgId, giftId, notes }: NotesPartProps) {
  const api = useApi();
  const canEdit = useCan(orgId)('gift-notes.edit');
  if (!canEdit && notes.length === 0) return null;
  return (
    <>
      <h3 className={styles.subheading}>Team notes</h3>
      <TeamNotes
        notes={notes}
        canEdit={canEdit}
        maxLength={NOTE_MAXIMUM}
        add={({ id, text }) =>
          api.call('addGiftNote', { params: { orgid: orgId, noteid: id }, body: { giftid: giftId, text } })
        }
        remove={(id) => api.call('removeGiftNote', { params: { orgid: orgId, noteid: id } })}
      />
    </>
  );
}
