import { useState } from 'react';
import { passwordFailure } from '#domain/password.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
