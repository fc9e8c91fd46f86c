import { useState } from 'react';
import type { Failure } from '#domain/failures.ts';
import { MIN_PASSWORD_LENGTH, passwordFailure, RECOMMENDED_PASSWORD_LENGTH } from '#domain/password.ts';
import { emailFailure } from '#domain/profile.ts';
import { m } from '#messages';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { TextField, type TextFieldProps } from './field.tsx';

/** Props for a field that validates its text when it loses focus. */
type CheckedFieldProps = Omit<TextFieldProps, 'type' | 'label' | 'value'> & { label?: string; value: string };

export function EmailField({ label = m.email(), value, ...rest }: CheckedFieldProps) {
  const errorProps = useErrorOnBlur(value.trim() === '' ? undefined : emailFailure(value));
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
      {...errorProps}
    />
  );
}

/** Props that show a field's error after it loses focus, not while the user types. */
function useErrorOnBlur(failure: Failure | undefined) {
  const [wasBlurred, setWasBlurred] = useState(false);
  return {
    error: wasBlurred ? failure?.message : undefined,
    onFocus: () => setWasBlurred(false),
    onBlur: () => setWasBlurred(true),
  };
}

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix' | 'autoComplete'> & {
  /** Hint for password managers. */
  autoComplete: 'current-password' | 'new-password';
};

/** A password field with a button that shows the password. */
export function PasswordField({ className, ...props }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false);
  const showButton = (
    <button
      type="button"
      className={styles.show}
      aria-label={isVisible ? m.passwordHide() : m.passwordShow()}
      onClick={() => setIsVisible(!isVisible)}
    >
      {isVisible ? m.hide() : m.show()}
    </button>
  );
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      className={classNames(styles.password, className)}
      type={isVisible ? 'text' : 'password'}
      suffix={showButton}
    />
  );
}

/** A new password, with its rules (§5, decisions §4). */
export function NewPasswordField({ label = m.password(), value, ...rest }: CheckedFieldProps) {
  const errorProps = useErrorOnBlur(value === '' ? undefined : passwordFailure(value));
  return (
    <PasswordField
      label={label}
      {...rest}
      autoComplete="new-password"
      placeholder={m.passwordPlaceholder({ min: String(MIN_PASSWORD_LENGTH) })}
      hint={m.passwordHint({ min: String(MIN_PASSWORD_LENGTH), advised: String(RECOMMENDED_PASSWORD_LENGTH) })}
      value={value}
      {...errorProps}
    />
  );
}
