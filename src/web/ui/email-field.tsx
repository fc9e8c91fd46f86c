import { useState } from 'react';
import { emailFailure } from '#domain/profile.ts';
import { TextField, type TextFieldProps } from './field.tsx';

type EmailFieldProps = Omit<TextFieldProps, 'type' | 'label' | 'value' | 'onChange' | 'error'> & {
  label?: string;
  value: string;
  onChange: (email: string) => void;
};

/** An email address. That it is none is said once it was left, and not while it is being typed. */
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
