import { passwordFailure } from '#domain/password.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { EmailField, NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import styles from './me.module.css';

type PasswordDialogProps = {
  /** True to also ask for the current password. */
  hasPassword: boolean;
  email: string;
  onChange: (password: string, currentPassword: string | undefined) => Promise<void>;
  onClose: () => void;
};

export function PasswordDialog({ hasPassword, email, onChange, onClose }: PasswordDialogProps) {
  const form = useForm({ initial: { currentPassword: '', password: '' }, fields: [] });
  const { currentPassword, password } = form.values;
  return (
    <FormDialog
      title={hasPassword ? m.passwordChange() : m.passwordSet()}
      confirmLabel={m.save()}
      ready={passwordFailure(password) === undefined && (!hasPassword || currentPassword !== '')}
      form={form}
      onSubmit={() => onChange(password, hasPassword ? currentPassword : undefined)}
      onClose={onClose}
    >
      <input type="hidden" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label={m.passwordCurrent()}
          autoComplete="current-password"
          {...form.fieldProps('currentPassword')}
        />
      )}
      <NewPasswordField label={m.passwordNew()} {...form.fieldProps('password')} />
      <p className={styles.note}>{m.passwordOtherDevices()}</p>
    </FormDialog>
  );
}

type NameDialogProps = {
  name: string;
  onChange: (name: string) => Promise<void>;
  onClose: () => void;
};

export function NameDialog({ name, onChange, onClose }: NameDialogProps) {
  const form = useForm({ initial: { name }, fields: ['name'] });
  const newName = form.values.name.trim();
  return (
    <FormDialog
      title={name === '' ? m.accountNameAdd() : m.accountNameChange()}
      confirmLabel={m.save()}
      ready={newName !== '' && newName !== name}
      form={form}
      onSubmit={() => onChange(newName)}
      onClose={onClose}
    >
      <TextField label={m.name()} autoComplete="name" hint={m.accountNameNote()} {...form.fieldProps('name')} />
    </FormDialog>
  );
}

type EmailDialogProps = {
  email: string;
  /** Emails a link to the new address. */
  onSend: (email: string) => Promise<void>;
  onClose: () => void;
};

export function EmailDialog({ email, onSend, onClose }: EmailDialogProps) {
  const form = useForm({ initial: { email: '' }, fields: [] });
  const newEmail = form.values.email.trim();
  return (
    <FormDialog
      title={m.accountEmailChange()}
      confirmLabel={m.accountEmailSend()}
      ready={isEmail(newEmail) && newEmail.toLowerCase() !== email}
      form={form}
      onSubmit={() => onSend(newEmail)}
      onClose={onClose}
    >
      <p>{m.accountEmailLead()}</p>
      <EmailField label={m.accountEmailNew()} {...form.fieldProps('email')} />
      <p className={styles.note}>{m.accountEmailNote()}</p>
    </FormDialog>
  );
}

type DeleteAccountDialogProps = { onDelete: () => Promise<void>; onClose: () => void };

export function DeleteAccountDialog({ onDelete, onClose }: DeleteAccountDialogProps) {
  const form = useForm({ initial: { word: '' }, fields: [] });
  const { word } = form.values;
  return (
    <FormDialog
      title={m.accountDelete()}
      confirmLabel={m.accountDelete()}
      destructive
      ready={isDeleteWord(word)}
      form={form}
      onSubmit={onDelete}
      onClose={onClose}
    >
      <p>{m.accountDeleteText()}</p>
      <p>{m.accountDeleteFinal()}</p>
      <TextField
        label={m.accountDeleteType({ word: DELETE_WORD })}
        autoComplete="off"
        autoCapitalize="none"
        {...form.fieldProps('word')}
      />
    </FormDialog>
  );
}

const DELETE_WORD = m.accountDeleteWord();

export function isDeleteWord(text: string): boolean {
  return text.trim().toLowerCase() === DELETE_WORD;
}
