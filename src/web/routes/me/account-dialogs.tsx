import { passwordFailure } from '#domain/password.ts';
import { m } from '#messages';
import { useForm } from '#web/api/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
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
  const { values, change, busy, problem, submit } = useForm({ initial: { current: '', password: '' }, fields: [] });
  const { current, password } = values;
  const save = async () => {
    if (await submit(() => onChange(password, hasPassword ? current : undefined))) onDone();
  };
  return (
    <FormDialog
      title={hasPassword ? m.passwordChange() : m.passwordSet()}
      confirm={m.save()}
      ready={passwordFailure(password) === undefined && (!hasPassword || current !== '')}
      busy={busy}
      problem={problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <input type="hidden" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label={m.passwordCurrent()}
          autoComplete="current-password"
          value={current}
          onChange={({ currentTarget }) => change({ current: currentTarget.value })}
        />
      )}
      <NewPasswordField
        label={m.passwordNew()}
        value={password}
        onChange={(newPassword) => change({ password: newPassword })}
      />
      <p className={styles.note}>{m.passwordOtherDevices()}</p>
    </FormDialog>
  );
}

type DeleteAccountDialogProps = { onDelete: () => Promise<void>; onClose: () => void };

export function DeleteAccountDialog({ onDelete, onClose }: DeleteAccountDialogProps) {
  const { values, change, busy, problem, submit } = useForm({ initial: { word: '' }, fields: [] });
  return (
    <FormDialog
      title={m.accountDelete()}
      confirm={m.accountDelete()}
      destructive
      ready={isDeleteWord(values.word)}
      busy={busy}
      problem={problem}
      onSubmit={() => void submit(onDelete)}
      onClose={onClose}
    >
      <p>{m.accountDeleteText()}</p>
      <p>{m.accountDeleteFinal()}</p>
      <TextField
        label={m.accountDeleteType({ word: DELETE_WORD })}
        autoComplete="off"
        autoCapitalize="none"
        value={values.word}
        onChange={({ currentTarget }) => change({ word: currentTarget.value })}
      />
    </FormDialog>
  );
}

const DELETE_WORD = m.accountDeleteWord();

export function isDeleteWord(text: string): boolean {
  return text.trim().toLowerCase() === DELETE_WORD;
}
