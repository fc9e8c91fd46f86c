import { type SubmitEvent, useId, useState } from 'react';
import { passwordFailure } from '#domain/password.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './account.module.css';
import type { AccountActions } from './account-actions.ts';

type PasswordDialogProps = {
  /** Whether there is one already, which then has to be told. */
  hasPassword: boolean;
  /** For the password manager, which keeps a password by its address. */
  email: string;
  onChange: AccountActions['changePassword'];
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
