import { useState } from 'react';
import { passwordFailure } from '#domain/password.ts';
import { isEmail, NAME_MAXIMUM } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { TextField } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
