import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import { MIN_PASSWORD_LENGTH } from '#domain/password.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import { Form } from '#web/forms/form.tsx';
import type { SubmittableForm } from '#web/forms/form-dialog.tsx';
import { type Action, useAttempt } from '#web/forms/use-attempt.ts';
import type { useForm } from '#web/forms/use-form.ts';
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
  form: SubmittableForm & { readonly isRejected: boolean };
  /** True if all values are valid. */
  isReady: boolean;
  onSubmit: Action<unknown>;
  children: ReactNode;
  footer?: ReactNode;
};

/**
 * Shows an error above its button, which is enabled once the values are valid (§4, §8). A rejection disables the button
 * until something changes, and focuses the field that has `aria-invalid`.
 */
export function SignInForm(props: SignInFormProps) {
  const { title, submitLabel, kind = 'dark', form, isReady, onSubmit, children, footer } = props;
  const { busy, error, problem, isRejected, submit } = form;
  const canSubmit = isReady && !isRejected;
  const submitIfReady = () => {
    if (canSubmit) void submit(onSubmit);
  };
  return (
    <Form error={error} onSubmit={submitIfReady} className={styles.form} aria-label={title}>
      <div className={styles.fields}>{children}</div>
      <Problem tone="box">{problem}</Problem>
      <div className={styles.formFoot}>
        <Button type="submit" kind={kind} wide busy={busy} disabled={!canSubmit}>
          {submitLabel}
        </Button>
        {footer}
      </div>
    </Form>
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
      // After a rejected link, the button sends a new one to the same address.
      form={{ ...attempt, isRejected: false, submit: run }}
      isReady={isEmail(address)}
      onSubmit={() => onSend(address)}
    >
      <EmailField
        label={label}
        name="email"
        autoComplete={autoComplete}
        value={email}
        onChange={({ currentTarget }) => {
          onEmail(currentTarget.value);
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
  form: ReturnType<typeof useForm<Credentials, never>>;
  onSignIn: (credentials: Credentials) => Promise<void>;
};

type Credentials = { readonly email: string; readonly password: string };
export const NO_CREDENTIALS: Credentials = { email: '', password: '' };

/** Login by email and password (§2). */
export function PasswordForm({ title, sharesEmail = false, form, onSignIn }: PasswordFormProps) {
  const { password } = form.values;
  const email = form.values.email.trim();
  return (
    <SignInForm
      title={title}
      submitLabel={m.navLogin()}
      kind={sharesEmail ? 'outline' : 'dark'}
      form={form}
      isReady={isEmail(email) && password.length >= MIN_PASSWORD_LENGTH}
      onSubmit={() => onSignIn({ email, password })}
      footer={
        <Link to={pagePath('forgot-password-page', {})} className={styles.link}>
          {m.forgotPassword()}
        </Link>
      }
    >
      {sharesEmail ? (
        // Password managers need both fields in one form.
        <input
          className={styles.username}
          name="email"
          autoComplete="username"
          aria-hidden="true"
          tabIndex={-1}
          value={form.values.email}
          onChange={({ currentTarget }) => form.change({ email: currentTarget.value })}
        />
      ) : (
        <EmailField autoComplete="username" {...form.fieldProps('email')} />
      )}
      <PasswordField
        label={m.password()}
        autoComplete="current-password"
        placeholder={m.passwordPlaceholder({ min: String(MIN_PASSWORD_LENGTH) })}
        aria-invalid={form.isRejected}
        {...form.fieldProps('password')}
      />
    </SignInForm>
  );
}

/** A success message, which screen readers announce when it appears. */
export function SuccessMessage({ children }: { children: ReactNode }) {
  return <output className={styles.done}>{children}</output>;
}
