import { useState } from 'react';
import { PASSWORD_ADVISED, PASSWORD_MINIMUM, passwordFailure } from '#domain/password.ts';
import { PasswordField } from './password-field.tsx';

type NewPasswordFieldProps = {
  /** "Password", unless there is another one beside it. */
  label?: string;
  value: string;
  onChange: (password: string) => void;
};

/** A password that is being made up: what it needs, and what is better (§5, decisions §4). */
export function NewPasswordField({ label = 'Password', value, onChange }: NewPasswordFieldProps) {
  const [left, setLeft] = useState(false);
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      placeholder={`Password - ${PASSWORD_MINIMUM} characters or more`}
      hint={`At least ${PASSWORD_MINIMUM} characters. We advise ${PASSWORD_ADVISED} or more: a few words that only you would put together.`}
      value={value}
      error={left && value !== '' ? passwordFailure(value)?.message : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  );
}
