import { type SubmitEvent, useId, useState } from 'react';
import { passwordFailure } from '#domain/password.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import styles from './me.module.css';

type PasswordDialogProps = {
  /** If true, the current password must be entered too. */
  hasPassword: boolean;
  email: string;
  onChange: (password: string, current: string | undefined) => Promise<void>;
  onDone: () => void;
  onClose: () => void;
};

export function PasswordDialog({ hasPassword, email, onChange, onDone, onClose }: PasswordDialogProps) {
  const formId = useId();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { run, busy, problem, clear } = useAttempt();
  const save = async () => {
    await onChange(password, hasPassword ? current : undefined);
    onDone();
  };
  const isReady = passwordFailure(password) === undefined && (!hasPassword || current !== '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) void run(save);
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      <Button type="submit" form={formId} busy={busy} disabled={!isReady}>
        {m.save()}
      </Button>
    </>
  );
  return (
    <Dialog
      title={hasPassword ? m.passwordChange() : m.passwordSet()}
      open
      onClose={() => !busy && onClose()}
      footer={footer}
    >
      <form id={formId} onSubmit={submit} className={styles.fields}>
        <input type="hidden" autoComplete="username" value={email} />
        {hasPassword && (
          <PasswordField
            label={m.passwordCurrent()}
            autoComplete="current-password"
            value={current}
            onChange={({ currentTarget }) => {
              setCurrent(currentTarget.value);
              clear();
            }}
          />
        )}
        <NewPasswordField
          label={m.passwordNew()}
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            clear();
          }}
        />
        <p className={styles.note}>{m.passwordOtherDevices()}</p>
        <Problem>{problem}</Problem>
      </form>
    </Dialog>
  );
}

type DeleteAccountDialogProps = { onDelete: () => Promise<void>; onClose: () => void };

export function DeleteAccountDialog({ onDelete, onClose }: DeleteAccountDialogProps) {
  const [typed, setTyped] = useState('');
  const { run, busy, problem } = useAttempt();
  return (
    <ConfirmDialog
      title={m.accountDelete()}
      confirm={m.accountDelete()}
      destructive
      ready={isDeleteWord(typed)}
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onDelete)}
      onClose={onClose}
    >
      <Stack>
        <p>{m.accountDeleteText()}</p>
        <p>{m.accountDeleteFinal()}</p>
        <TextField
          label={m.accountDeleteType({ word: DELETE_WORD })}
          autoComplete="off"
          autoCapitalize="none"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

const DELETE_WORD = m.accountDeleteWord();

export function isDeleteWord(text: string): boolean {
  return text.trim().toLowerCase() === DELETE_WORD;
}
