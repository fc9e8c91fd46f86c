import { useState } from 'react';
import { useAttempt } from '#web/api/use-attempt.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import styles from './account.module.css';
import { DELETE_WORD, isTypedDelete } from './account-words.ts';

type DeleteAccountDialogProps = { onDelete: () => Promise<void>; onClose: () => void };

/** What deleting the account means, and the word that has to be typed for it. */
export function DeleteAccountDialog({ onDelete, onClose }: DeleteAccountDialogProps) {
  const [typed, setTyped] = useState('');
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      title="Delete my account"
      confirm="Delete my account"
      destructive
      ready={isTypedDelete(typed)}
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onDelete)}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <p>
          Your gifts stay in the fund’s books, because what was given has to add up. You do not: your name, your
          address, your stories and your photos are deleted, and your recurring gifts end.
        </p>
        <p>This cannot be undone. You may want to download your data first.</p>
        <TextField
          label={`Type “${DELETE_WORD}” to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  );
}
