import { useState } from 'react';
import type { Editor } from '#contract/schemas/editors.ts';
import { useAttempt } from '../../api/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { dayText } from '../../ui/day-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './editors.module.css';

type EditorDialogProps = {
  editor: Editor;
  /** Whether it is the one who looks. */
  isSelf: boolean;
  onRemove: () => Promise<void>;
  onClose: () => void;
};

/** An editor in detail, with the way to take the role away (§2), which is asked once more. */
export function EditorDialog(props: EditorDialogProps) {
  const { editor, isSelf, onRemove, onClose } = props;
  const [deleting, setDeleting] = useState(false);
  const { busy, problem, run } = useAttempt();
  const called = editor.displayName || editor.email;
  if (deleting) {
    return (
      <ConfirmDialog
        title="Delete editor"
        confirm="Delete"
        destructive
        busy={busy}
        problem={problem}
        onConfirm={() => void run(onRemove)}
        onClose={onClose}
      >
        <p>
          {isSelf
            ? 'You will no longer edit this site, and are signed out.'
            : `${called} will no longer edit this site, and is signed out.`}
        </p>
      </ConfirmDialog>
    );
  }
  const footer = (
    <>
      <Button kind="quiet" className={styles.delete} onClick={() => setDeleting(true)}>
        <Icon name="trash" /> Delete
      </Button>
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={called} open onClose={onClose} footer={footer}>
      <dl className={styles.facts}>
        <dt>Email</dt>
        <dd>{editor.email}</dd>
        <dt>Role</dt>
        <dd>Editor</dd>
        <dt>Since</dt>
        <dd>{dayText(editor.createdTimestamp)}</dd>
      </dl>
    </Dialog>
  );
}
