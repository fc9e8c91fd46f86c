import { useState } from 'react';
import { PASSWORD_ADVISED, PASSWORD_MINIMUM, passwordFailure } from '#domain/password.ts';
import { emailFailure } from '#domain/profile.ts';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { TextField, type TextFieldProps } from './field.tsx';

type EmailFieldProps = Omit<TextFieldProps, 'type' | 'label' | 'value' | 'onChange' | 'error'> & {
  label?: string;
  value: string;
  onChange: (email: string) => void;
};

/** Shows an error once the field is left, not while typing. */
export function EmailField({ label = 'Email', value, onChange, ...rest }: EmailFieldProps) {
  const [left, setLeft] = useState(false);
  const isWrong = left && value.trim() !== '';
  return (
    <TextField
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      type="email"
      label={label}
      value={value}
      error={isWrong ? emailFailure(value)?.message : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  );
}

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix' | 'autoComplete'> & {
  /** For the password manager. */
  autoComplete: 'current-password' | 'new-password';
};

/** A password field with a button that shows the password. */
export function PasswordField({ className, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const show = (
    <button
      type="button"
      className={styles.show}
      aria-label="Show password"
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    >
      {shown ? 'Hide' : 'Show'}
    </button>
  );
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      className={classNames(styles.password, className)}
      type={shown ? 'text' : 'password'}
      suffix={show}
    />
  );
}

type NewPasswordFieldProps = {
  label?: string;
  value: string;
  onChange: (password: string) => void;
};

/** A new password, with its rules (§5, decisions §4). */
export function NewPasswordField({ label = 'Password', value, onChange }: NewPasswordFieldProps) {
  const [left, setLeft] = useState(false);
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      placeholder={`Password - ${PASSWORD_MINIMUM} characters or more`}
      hint={`At least ${PASSWORD_MINIMUM} characters. ${PASSWORD_ADVISED} or more is safer: try three or four unrelated words.`}
      value={value}
      error={left && value !== '' ? passwordFailure(value)?.message : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  );
}
