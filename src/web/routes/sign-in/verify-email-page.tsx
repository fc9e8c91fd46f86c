import { useEffect, useState } from 'react';
import { linkLife } from '#domain/mailed-links.ts';
import { failedSentence } from '#web/api/refusal.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Done, PasswordForm, Problem } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useMailedCode, useSignIn } from './use-sign-in.ts';

type VerifyEmailPageProps = {
  /** Where to go once the email is verified. */
  returnTo: string | undefined;
  /** The code of a mailed link. */
  code: string | undefined;
};

const TITLE = 'Verify your email';

/**
 * Asks for the email to be verified, and is where the mailed link leads. Only the account's owner can verify it, so that
 * page asks for a login first. Once the email is verified, here or in another tab, the page moves on.
 */
export function VerifyEmailPage({ returnTo, code: given }: VerifyEmailPageProps) {
  const code = useMailedCode(given);
  const { authenticated } = useSession();
  if (!authenticated) return <SignInToVerify returnTo={returnTo} />;
  return code === undefined ? <SendVerification returnTo={returnTo} /> : <Proof code={code} returnTo={returnTo} />;
}

function SignInToVerify({ returnTo }: Pick<VerifyEmailPageProps, 'returnTo'>) {
  const [email, setEmail] = useState('');
  const { byPassword } = useSignIn(returnTo);
  return (
    <SignInFrame
      title={TITLE}
      lead="Log in with the password you chose and your email is verified."
      foot={
        <p>
          Don’t know the password? <Link to={loginAddress(returnTo ?? '/')}>Get a sign-in link</Link> instead. It also
          verifies your email and cancels the old password.
        </p>
      }
    >
      <PasswordForm email={email} onEmail={setEmail} onSignIn={byPassword} />
    </SignInFrame>
  );
}

function Proof({ code, returnTo }: { code: string; returnTo: string | undefined }) {
  const api = useApi();
  const session = useSessionStore();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const verify = async () => session.open(await api.call('verifyAddress', { body: { code } }));
    // React's strict mode mounts twice, and a link works once.
    const timer = setTimeout(() => verify().catch((error: unknown) => setProblem(failedSentence(error))));
    return () => clearTimeout(timer);
  }, [api, session, code]);
  if (problem !== undefined) return <SendVerification returnTo={returnTo} problem={problem} />;
  return (
    <SignInFrame title={TITLE}>
      <output>Verifying your email…</output>
    </SignInFrame>
  );
}

function SendVerification({ returnTo, problem: before }: { returnTo: string | undefined; problem?: string }) {
  const api = useApi();
  const store = useSessionStore();
  const { email } = useSession();
  const { busy, problem, run } = useAttempt();
  const [sent, setSent] = useState(false);
  const send = async () => {
    const body = returnTo === undefined ? {} : { returnTo };
    setSent(await run(async () => void (await api.call('sendVerification', { body }))));
  };
  return (
    <SignInFrame
      title={TITLE}
      lead={
        <>
          Please verify your email first: open the link we’ve sent to <strong>{email}</strong>. It works once and
          expires in {linkLife('verify')}.
        </>
      }
      foot={
        <p>
          Not your email?{' '}
          <Button kind="quiet" onClick={() => void store.signOut()}>
            Log out
          </Button>
        </p>
      }
    >
      <Problem>{problem ?? (sent || busy ? undefined : before)}</Problem>
      <Button wide busy={busy} onClick={() => void send()}>
        Send again
      </Button>
      <Done>{sent && `We’ve sent another link to ${email}.`}</Done>
    </SignInFrame>
  );
}
