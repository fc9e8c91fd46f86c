import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { formatLinkLifetime } from '#domain/email-links.ts';
import { formFailure } from '#domain/form-failures.ts';
import { passwordFailure } from '#domain/password.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { NewPasswordField } from '#web/ui/sign-in-fields.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EmailForm, SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEmailedCode } from './use-sign-in.ts';

/** Emails a link to choose a new password (§2). */
export function ForgotPasswordPage() {
  const api = useApi();
  const [email, setEmail] = useState('');
  const [recipient, setRecipient] = useState<string>();
  const send = async (address: string) => {
    await api.call('sendPasswordReset', { body: { email: address } }).catch((error: unknown) => {
      throw toResetFailure(error);
    });
    setRecipient(address);
  };
  const loginLink = (
    <p>
      <Link to={pagePath('login-page', {})}>{m.resetBackToLogin()}</Link>
    </p>
  );
  if (recipient !== undefined) {
    return (
      <SignInFrame
        title={m.checkMailTitle()}
        lead={
          <RichText
            text={m.resetSent({ email: recipient, life: formatLinkLifetime('reset') })}
            tags={{ strong: (words) => <strong>{words}</strong> }}
          />
        }
        footer={loginLink}
      >
        <p>{m.resetNotSeen()}</p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={m.forgotPassword()} lead={m.resetLead()} footer={loginLink}>
      <EmailForm submitLabel={m.resetSend()} email={email} onEmail={setEmail} onSend={send} />
    </SignInFrame>
  );
}

/** A 4xx explains what to correct; any other failure is replaced with §8's message. */
function toResetFailure(error: unknown): unknown {
  if (error instanceof ApiProblem && error.status < 500) return error;
  return new ApiProblem({
    status: 500,
    code: 'reset-email-failed',
    detail: formFailure('reset-email-failed').message,
    requestId: error instanceof ApiProblem ? error.requestId : '',
  });
}

/** The page that a reset link opens. The person then logs in with the new password (§2). */
export function ResetPasswordPage({ code: emailedCode }: { code: string | undefined }) {
  const code = useEmailedCode(emailedCode);
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const toast = useToast();
  const forgotPasswordPath = pagePath('forgot-password-page', {});
  if (code === undefined) {
    return (
      <SignInFrame title={m.passwordNew()} lead={m.signInLinkIncomplete()}>
        <ButtonLink kind="outline" wide to={forgotPasswordPath}>
          {m.signInNewLink()}
        </ButtonLink>
      </SignInFrame>
    );
  }
  const savePassword = async (password: string) => {
    await api.call('resetPassword', { body: { code, password } });
    // The server has ended every session, including this one.
    await session.signOut();
    await navigate(pagePath('login-page', {}), { replace: true });
    toast(m.resetDone());
  };
  return (
    <SignInFrame
      title={m.passwordNew()}
      lead={m.resetNewLead()}
      footer={
        <p>
          <RichText
            text={m.signInHasExpired()}
            tags={{ link: (words) => <Link to={forgotPasswordPath}>{words}</Link> }}
          />
        </p>
      }
    >
      <NewPasswordForm onSave={savePassword} />
    </SignInFrame>
  );
}

function NewPasswordForm({ onSave }: { onSave: (password: string) => Promise<void> }) {
  const form = useForm({ initial: { password: '' }, fields: [] });
  const { password } = form.values;
  return (
    <SignInForm
      submitLabel={m.resetSave()}
      form={form}
      isReady={passwordFailure(password) === undefined}
      onSubmit={() => onSave(password)}
    >
      <NewPasswordField aria-invalid={form.isRejected} {...form.fieldProps('password')} />
    </SignInForm>
  );
}
