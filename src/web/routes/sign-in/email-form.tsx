import { useState } from 'react';
import { isEmail } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
