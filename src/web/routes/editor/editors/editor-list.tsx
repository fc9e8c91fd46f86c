import type { Editor, Invitation } from '#contract/schemas/editors.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { EmptyNote } from '#web/ui/list-parts.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './editors.module.css';

type EditorListProps = { editors: readonly Editor[]; selfId: string; onOpen: (editor: Editor) => void };

/** Who edits; each one opens in detail. */
export function EditorList({ editors, selfId, onOpen }: EditorListProps) {
  if (editors.length === 0) return <EmptyNote>Nobody edits this site yet. Add the first editor.</EmptyNote>;
  return (
    <ul className={styles.list}>
      {editors.map((editor) => (
        <li key={editor.userId}>
          <button type="button" className={styles.editor} onClick={() => onOpen(editor)}>
            <span className={styles.mark}>
              <Icon name="person" />
            </span>
            <span className={styles.who}>
              <span className={styles.name}>
                {editor.displayName || editor.email}
                {editor.userId === selfId && <span className={styles.self}> (you)</span>}
              </span>
              {editor.displayName !== '' && <span className={styles.email}>{editor.email}</span>}
            </span>
            <Icon name="next" />
          </button>
        </li>
      ))}
    </ul>
  );
}

type InvitationListProps = { invitations: readonly Invitation[]; onWithdraw: (invitation: Invitation) => void };

/** Who was asked to edit, and has not come yet. */
export function InvitationList({ invitations, onWithdraw }: InvitationListProps) {
  return (
    <ul className={styles.list}>
      {invitations.map((invitation) => (
        <li key={invitation.id} className={styles.invitation}>
          <span className={styles.mark}>
            <Icon name="mail" />
          </span>
          <span className={styles.who}>
            <span className={styles.name}>{invitation.email}</span>
            <span className={styles.email}>Invited on {dayText(invitation.createdTimestamp)}</span>
          </span>
          <Button kind="outline" onClick={() => onWithdraw(invitation)}>
            Withdraw<VisuallyHidden> the invitation of {invitation.email}</VisuallyHidden>
          </Button>
        </li>
      ))}
    </ul>
  );
}
