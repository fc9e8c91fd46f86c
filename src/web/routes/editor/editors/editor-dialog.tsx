import { useState } from 'react';
import type { Editor } from '#contract/schemas/editors.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { dayText } from '#web/ui/text.ts';
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
      <Button kind="remove" className={styles.aside} onClick={() => setDeleting(true)}>
        <Icon name="trash" /> Delete
      </Button>
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={called} open onClose={onClose} footer={footer}>
      <Facts>
        <Fact name="Email">{editor.email}</Fact>
        <Fact name="Role">Editor</Fact>
        <Fact name="Since">{dayText(editor.createdTimestamp)}</Fact>
      </Facts>
    </Dialog>
  );
}
