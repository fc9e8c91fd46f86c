import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { PASSWORD_MINIMUM, passwordFailure } from '#domain/password.ts';
import { isEmail, NAME_MAXIMUM } from '#domain/profile.ts';
import { type Attempt, useAttempt } from '#web/api/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { EmailField, NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import styles from './sign-in.module.css';

type SignInFormProps = {
  /** What the form is for, where the page has more than one. */
  title?: string;
  /** What the button says. */
  action: string;
  kind?: 'action' | 'dark' | 'outline';
  attempt: Pick<Attempt, 'busy' | 'problem'>;
  /** Whether it can be sent as it stands. */
  isReady: boolean;
  onSubmit: () => void;
  /** The fields. */
  children: ReactNode;
  /** Beneath the button. */
  foot?: ReactNode;
};

/** A form of signing in: why it was refused stands above its button, which is enabled by what is typed (§4, §8). */
function SignInForm({ title, action, kind = 'dark', attempt, isReady, onSubmit, children, foot }: SignInFormProps) {
  const titleId = useId();
  const { busy, problem } = attempt;
  const submitted = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form
      onSubmit={submitted}
      noValidate
      className={styles.form}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {title !== undefined && (
        <h2 id={titleId} className={styles.signInFormTitle}>
          {title}
        </h2>
      )}
      <fieldset disabled={busy} className={styles.fields}>
        {children}
      </fieldset>
      <Problem>{problem}</Problem>
      <div className={styles.signInFormFoot}>
        <Button type="submit" kind={kind} wide busy={busy} disabled={!isReady}>
          {action}
        </Button>
        {foot}
      </div>
    </form>
  );
}

/** Stands between two ways of doing the same. */
export function Or() {
  return <p className={styles.or}>or</p>;
}

/** Why something was refused; read out when it appears. */
export function Problem({ children }: { children: string | undefined }) {
  return (
    <p role="alert" className={styles.problem}>
      {children}
    </p>
  );
}

/** What was done, beside what can be done next; read out when it appears. */
export function Done({ children }: { children: ReactNode }) {
  return <output className={styles.done}>{children}</output>;
}

type EmailFormProps = {
  /** What the button says. */
  action: string;
  label?: string;
  email?: string;
  /** Why an earlier try came to nothing. */
  problem?: string | undefined;
  onSend: (email: string) => Promise<void>;
};

/** A form that needs an address and nothing more. */
export function EmailForm({ action, label = 'Email', email: known = '', problem, onSend }: EmailFormProps) {
  const [email, setEmail] = useState(known);
  const [isChanged, setChanged] = useState(false);
  const { run, clear, ...attempt } = useAttempt();
  const typed = email.trim();
  return (
    <SignInForm
      action={action}
      attempt={{ ...attempt, problem: attempt.problem ?? (isChanged || attempt.busy ? undefined : problem) }}
      isReady={isEmail(typed)}
      onSubmit={() => void run(() => onSend(typed))}
    >
      <EmailField
        label={label}
        name="email"
        value={email}
        onChange={(changed) => {
          setEmail(changed);
          setChanged(true);
          clear();
        }}
      />
    </SignInForm>
  );
}

type LinkFormProps = {
  email: string;
  onEmail: (email: string) => void;
  /** Asks for the link. */
  onSend: (email: string) => Promise<void>;
};

/** Signing in by a mailed link, which makes an account where there is none (§2). */
export function LinkForm({ email, onEmail, onSend }: LinkFormProps) {
  const { run, clear, ...attempt } = useAttempt();
  const typed = email.trim();
  return (
    <SignInForm
      title="With a link by email"
      action="Email me a link"
      attempt={attempt}
      isReady={isEmail(typed)}
      onSubmit={() => void run(() => onSend(typed))}
    >
      <EmailField
        name="link-email"
        value={email}
        onChange={(changed) => {
          onEmail(changed);
          clear();
        }}
      />
    </SignInForm>
  );
}

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

/** The way to a new password (§2). */
function ForgotPassword() {
  return (
    <Link to={pagePath('forgot-password-page', {})} className={styles.link}>
      Forgot password?
    </Link>
  );
}

/** Choosing a new password, with the link that was mailed for it. */
export function NewPasswordForm({ onChoose }: { onChoose: (password: string) => Promise<void> }) {
  const [password, setPassword] = useState('');
  const { run, clear, ...attempt } = useAttempt();
  return (
    <SignInForm
      action="Save new password"
      attempt={attempt}
      isReady={passwordFailure(password) === undefined && attempt.problem === undefined}
      onSubmit={() => void run(() => onChoose(password))}
    >
      <NewPasswordField
        value={password}
        onChange={(changed) => {
          setPassword(changed);
          clear();
        }}
      />
    </SignInForm>
  );
}

export type SignUpDraft = { readonly email: string; readonly name: string; readonly password: string };

const BLANK: SignUpDraft = { email: '', name: '', password: '' };

/** Making an account with a password (§2, decisions §4). */
export function SignUpForm({ onSignUp }: { onSignUp: (draft: SignUpDraft) => Promise<void> }) {
  const [draft, setDraft] = useState(BLANK);
  const { run, clear, ...attempt } = useAttempt();
  const change = (part: Partial<SignUpDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    clear();
  };
  const sent = { ...draft, email: draft.email.trim(), name: draft.name.trim() };
  return (
    <SignInForm
      action="Sign up"
      attempt={attempt}
      isReady={isEmail(sent.email) && passwordFailure(sent.password) === undefined && attempt.problem === undefined}
      onSubmit={() => void run(() => onSignUp(sent))}
    >
      <EmailField name="email" autoComplete="username" value={draft.email} onChange={(email) => change({ email })} />
      <TextField
        label="Name"
        hint="How we should greet you. You may leave it out."
        name="name"
        autoComplete="name"
        maxLength={NAME_MAXIMUM}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <NewPasswordField value={draft.password} onChange={(password) => change({ password })} />
    </SignInForm>
  );
}
