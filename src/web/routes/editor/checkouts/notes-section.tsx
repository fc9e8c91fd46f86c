import type { TeamNote } from '#contract/schemas/team-notes.ts';
import { useCan } from '#web/session/actor.ts';
import styles from '../gift-record.module.css';
import { TeamNotes } from '../team-notes.tsx';

type NotesSectionProps = { orgId: string; giftId: string; notes: readonly TeamNote[] };

/** The team's notes about a gift. */
export function NotesSection({ orgId, giftId, notes }: NotesSectionProps) {
  const canEdit = useCan(orgId)('team-notes.edit');
  if (!canEdit && notes.length === 0) return null;
  return (
    <>
      <h3 className={styles.subheading}>Team notes</h3>
      <TeamNotes orgId={orgId} subjectId={giftId} notes={notes} />
    </>
  );
}
