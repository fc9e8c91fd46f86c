import { useState } from 'react';
import { classNames } from './class-names.ts';
import { TextField, type TextFieldProps } from './field.tsx';
import styles from './password-field.module.css';

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix' | 'autoComplete'> & {
  /** For the password manager: one that is there, or one that is being made up. */
  autoComplete: 'current-password' | 'new-password';
};

/** A password, which its writer can have shown. Pasting it is as good as typing. */
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
