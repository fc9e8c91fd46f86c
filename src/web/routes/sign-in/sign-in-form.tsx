import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { MIN_PASSWORD_LENGTH } from '#domain/password.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { EmailField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import styles from './sign-in.module.css';

type SignInFormProps = {
  /** Accessible name, if the page has several forms. */
  title?: string | undefined;
  submitLabel: string;
  kind?: 'dark' | 'outline';
  attempt: { readonly busy: boolean; readonly problem: string | undefined };
  /** True if all values are valid. */
  isReady: boolean;
  onSubmit: () => void;
  children: ReactNode;
  footer?: ReactNode;
};

/** Shows an error above its button, which is enabled once the values are valid (§4, §8). */
export function SignInForm(props: SignInFormProps) {
  const { title, submitLabel, kind = 'dark', attempt, isReady, onSubmit, children, footer } = props;
  const { busy, problem } = attempt;
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form onSubmit={handleSubmit} noValidate className={styles.form} aria-label={title}>
      <div className={styles.fields}>{children}</div>
      <Problem tone="box">{problem}</Problem>
      <div className={styles.formFoot}>
        <Button type="submit" kind={kind} wide busy={busy} disabled={!isReady}>
          {submitLabel}
        </Button>
        {footer}
      </div>
    </form>
  );
}

type EmailFormProps = {
  title?: string;
  submitLabel: string;
  label?: string;
  /** `username` if the page also has a password field. */
  autoComplete?: 'email' | 'username';
  email: string;
  onEmail: (email: string) => void;
  onSend: (email: string) => Promise<void>;
};

export function EmailForm(props: EmailFormProps) {
  const { title, submitLabel, label = m.email(), autoComplete = 'email', email, onEmail, onSend } = props;
  const { run, clear, ...attempt } = useAttempt();
  const address = email.trim();
  return (
    <SignInForm
      title={title}
      submitLabel={submitLabel}
      attempt={attempt}
      isReady={isEmail(address)}
      onSubmit={() => void run(() => onSend(address))}
    >
      <EmailField
        label={label}
        name="email"
        autoComplete={autoComplete}
        value={email}
        onChange={(newEmail) => {
          onEmail(newEmail);
          clear();
        }}
      />
    </SignInForm>
  );
}

type PasswordFormProps = {
  title?: string;
  /** True if another form on the page has the email field. */
  sharesEmail?: boolean;
  email: string;
  onEmail: (email: string) => void;
  onSignIn: (credentials: { email: string; password: string }) => Promise<void>;
};

/** Login by email and password (§2). A rejection disables the button until something changes (§8). */
export function PasswordForm({ title, sharesEmail = false, email, onEmail, onSignIn }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [attemptedEmail, setAttemptedEmail] = useState(email);
  const attempt = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  const address = email.trim();
  const isSameEmail = attemptedEmail === email;
  const problem = isSameEmail ? attempt.problem : undefined;
  const isRejected = isSameEmail && attempt.rejectionCode !== undefined;
  const logIn = async () => {
    setAttemptedEmail(email);
    if (!(await attempt.run(() => onSignIn({ email: address, password })))) field.current?.focus();
  };
  return (
    <SignInForm
      title={title}
      submitLabel={m.navLogin()}
      kind={sharesEmail ? 'outline' : 'dark'}
      attempt={{ busy: attempt.busy, problem }}
      isReady={isEmail(address) && password.length >= MIN_PASSWORD_LENGTH && !isRejected}
      onSubmit={() => void logIn()}
      footer={
        <Link to={pagePath('forgot-password-page', {})} className={styles.link}>
          {m.forgotPassword()}
        </Link>
      }
    >
      {sharesEmail ? (
        // For password managers, which need both fields in one form.
        <input
          className={styles.username}
          name="email"
          autoComplete="username"
          aria-hidden="true"
          tabIndex={-1}
          value={email}
          onChange={({ currentTarget }) => onEmail(currentTarget.value)}
        />
      ) : (
        <EmailField name="email" autoComplete="username" value={email} onChange={onEmail} />
      )}
      <PasswordField
        ref={field}
        label={m.password()}
        name="password"
        autoComplete="current-password"
        placeholder={m.passwordPlaceholder({ min: String(MIN_PASSWORD_LENGTH) })}
        value={password}
        onChange={({ currentTarget }) => {
          setPassword(currentTarget.value);
          attempt.clear();
        }}
      />
    </SignInForm>
  );
}

/** A success message, which screen readers announce when it appears. */
export function SuccessMessage({ children }: { children: ReactNode }) {
  return <output className={styles.done}>{children}</output>;
}
