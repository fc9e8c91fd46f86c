import { isEmail } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
