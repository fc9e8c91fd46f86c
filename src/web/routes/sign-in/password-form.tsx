import { useEffect, useRef, useState } from 'react';
import { PASSWORD_MINIMUM } from '#domain/password.ts';
import { isEmail } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { SignInForm } from './sign-in-form.tsx';

type PasswordFormProps = {
  /** Where there are other ways on the page. */
  title?: string;
  email: string;
  onEmail: (email: string) => void;
  onSignIn: (credentials: { email: string; password: string }) => Promise<void>;
};

/** Signing in by email address and password (§2). A refusal disables the button until something is changed (§8). */
export function PasswordForm({ title, email, onEmail, onSignIn }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const { run, clear, ...attempt } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  const typed = email.trim();
  const isRefused = attempt.problem !== undefined;
  const isReady = isEmail(typed) && password.length >= PASSWORD_MINIMUM && !isRefused;
  useEffect(() => {
    // The button cannot be pressed then, and so cannot keep the focus either.
    if (isRefused) field.current?.focus();
  }, [isRefused]);
  return (
    <SignInForm
      {...(title === undefined ? {} : { title })}
      action="Login"
      attempt={attempt}
      isReady={isReady}
      onSubmit={() => void run(() => onSignIn({ email: typed, password }))}
      foot={<ForgotPassword />}
    >
      <EmailField
        name="email"
        autoComplete="username"
        value={email}
        onChange={(changed) => {
          onEmail(changed);
          clear();
        }}
      />
      <PasswordField
        ref={field}
        label="Password"
        name="password"
        autoComplete="current-password"
        placeholder={`Password - ${PASSWORD_MINIMUM} characters or more`}
        value={password}
        onChange={({ currentTarget }) => {
          setPassword(currentTarget.value);
          clear();
        }}
      />
    </SignInForm>
  );
}
