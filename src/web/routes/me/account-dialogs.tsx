import { type SubmitEvent, useId, useState } from 'react';
import { passwordFailure } from '#domain/password.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import styles from './me.module.css';

type PasswordDialogProps = {
  /** Whether there is one already, which then has to be told. */
  hasPassword: boolean;
  /** For the password manager, which keeps a password by its address. */
  email: string;
  onChange: (password: string, current: string | undefined) => Promise<void>;
  onDone: () => void;
  onClose: () => void;
};

/** Sets a password, or changes the one there is. */
export function PasswordDialog({ hasPassword, email, onChange, onDone, onClose }: PasswordDialogProps) {
  const formId = useId();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { busy, problem, run, clear } = useAttempt();
  const isReady = passwordFailure(password) === undefined && (!hasPassword || current !== '');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && (await run(() => onChange(password, hasPassword ? current : undefined)))) onDone();
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy} disabled={!isReady}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog
      title={hasPassword ? 'Change password' : 'Set a password'}
      open
      onClose={() => !busy && onClose()}
      footer={footer}
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className={styles.fields}>
        <input type="hidden" autoComplete="username" value={email} />
        {hasPassword && (
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={({ currentTarget }) => {
              setCurrent(currentTarget.value);
              clear();
            }}
          />
        )}
        <NewPasswordField
          label="New password"
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            clear();
          }}
        />
        <p className={styles.note}>Every other browser in which you are signed in is signed out.</p>
        <Problem>{problem}</Problem>
      </form>
    </Dialog>
  );
}

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

/** What has to be typed before an account is deleted. */
const DELETE_WORD = 'delete';

/** Whether somebody who wants to delete the account has typed so. */
export function isTypedDelete(text: string): boolean {
  return text.trim().toLowerCase() === DELETE_WORD;
}
