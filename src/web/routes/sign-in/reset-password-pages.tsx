import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { sentenceOf } from '#domain/failures.ts';
import { linkLife } from '#domain/mailed-links.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EmailForm, NewPasswordForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useMailedCode } from './use-sign-in.ts';

/** Asks for a link to a new password (§2). */
export function ForgotPasswordPage() {
  const api = useApi();
  const [sentTo, setSentTo] = useState<string>();
  const send = async (email: string) => {
    await api.call('sendPasswordReset', { body: { email } }).catch((error: unknown) => {
      throw resetFailure(error);
    });
    setSentTo(email);
  };
  const toLogin = (
    <p>
      <Link to={pagePath('login-page', {})}>Back to log in</Link>
    </p>
  );
  if (sentTo !== undefined) {
    return (
      <SignInFrame
        title="Check your mail"
        lead={
          <>
            If there is an account for <strong>{sentTo}</strong>, we have sent a link to it for choosing a new password.
            The link works once, for {linkLife('reset')}.
          </>
        }
        foot={toLogin}
      >
        <p>Nothing there? It may be in the spam folder, or the account may have another address.</p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Forgot password?" lead="We email you a link for choosing a new one." foot={toLogin}>
      <EmailForm action="Send reset password link" onSend={send} />
    </SignInFrame>
  );
}

/** What can be mended is told as it is; of anything else §8 has the sentence. */
function resetFailure(error: unknown): unknown {
  if (error instanceof ApiProblem && error.status < 500) return error;
  return new ApiProblem({
    status: 500,
    code: 'reset-mail-failed',
    detail: sentenceOf('reset-mail-failed'),
    requestId: error instanceof ApiProblem ? error.requestId : '',
  });
}

/** Where the link for a new password leads. Afterwards one logs in with it (§2). */
export function ResetPasswordPage({ code: given }: { code: string | undefined }) {
  const code = useMailedCode(given);
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const toast = useToast();
  const toForgot = pagePath('forgot-password-page', {});
  if (code === undefined) {
    return (
      <SignInFrame title="New password" lead="This link is not complete. Please open it from the mail once more.">
        <ButtonLink kind="outline" wide to={toForgot}>
          Get a new link
        </ButtonLink>
      </SignInFrame>
    );
  }
  const choose = async (password: string) => {
    await api.call('resetPassword', { body: { code, password } });
    // Every session has ended with it, this browser's among them.
    await session.signOut();
    await navigate(pagePath('login-page', {}), { replace: true });
    toast('Your password is changed. Please log in with it.');
  };
  return (
    <SignInFrame
      title="New password"
      lead="After this you are signed out everywhere, and log in with the new password."
      foot={
        <p>
          Is the link too old? <Link to={toForgot}>Get a new link</Link>
        </p>
      }
    >
      <NewPasswordForm onChoose={choose} />
    </SignInFrame>
  );
}
