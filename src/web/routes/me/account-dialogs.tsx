import { passwordFailure } from '#domain/password.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import { useForm } from '#web/forms/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { EmailField, NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
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

type NameDialogProps = {
  name: string;
  onChange: (name: string) => Promise<void>;
  onDone: () => void;
  onClose: () => void;
};

export function NameDialog({ name, onChange, onDone, onClose }: NameDialogProps) {
  const { values, busy, problem, submit, fieldProps } = useForm({ initial: { name }, fields: ['name'] });
  const newName = values.name.trim();
  const save = async () => {
    if (await submit(() => onChange(newName))) onDone();
  };
  return (
    <FormDialog
      title={name === '' ? m.accountNameAdd() : m.accountNameChange()}
      confirm={m.save()}
      ready={newName !== '' && newName !== name}
      busy={busy}
      problem={problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField label={m.name()} autoComplete="name" hint={m.accountNameNote()} {...fieldProps('name')} />
    </FormDialog>
  );
}

type EmailDialogProps = {
  email: string;
  /** Emails a link to the new address. */
  onSend: (email: string) => Promise<void>;
  onDone: (email: string) => void;
  onClose: () => void;
};

export function EmailDialog({ email, onSend, onDone, onClose }: EmailDialogProps) {
  const { values, change, busy, problem, submit } = useForm({ initial: { email: '' }, fields: [] });
  const newEmail = values.email.trim();
  const send = async () => {
    if (await submit(() => onSend(newEmail))) onDone(newEmail);
  };
  return (
    <FormDialog
      title={m.accountEmailChange()}
      confirm={m.accountEmailSend()}
      ready={isEmail(newEmail) && newEmail.toLowerCase() !== email}
      busy={busy}
      problem={problem}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <p>{m.accountEmailLead()}</p>
      <EmailField
        label={m.accountEmailNew()}
        name="email"
        value={values.email}
        onChange={(text) => change({ email: text })}
      />
      <p className={styles.note}>{m.accountEmailNote()}</p>
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
