import { pagePath } from '#contract/pages.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useMailedCode } from './use-mailed-code.ts';

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
