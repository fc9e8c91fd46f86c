import { useEffect, useState } from 'react';
import { linkLife } from '#domain/mailed-links.ts';
import { failedSentence } from '#web/api/api-error.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Done, PasswordForm, Problem } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useMailedCode, useSignIn } from './use-sign-in.ts';

type VerifyEmailPageProps = {
  /** Where the way leads once the address is proven. */
  returnTo: string | undefined;
  /** The code of a mailed link. */
  code: string | undefined;
};

const TITLE = 'Verify your email';

/**
 * Says that the address has to be proven first, and takes the proof, from whoever is signed in to that account. Once it
 * is proven, here or in another tab, the page leads on by itself.
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
      lead="Please log in with the password that you signed up with, and your address is verified."
      foot={
        <p>
          You do not know the password, or did not sign up?{' '}
          <Link to={loginAddress(returnTo ?? '/')}>Have a link mailed to you</Link>, which proves the address as well.
          The password that was set before no longer works then.
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
    // React's strict mode mounts twice at once, and a link works once.
    const timer = setTimeout(() => verify().catch((error: unknown) => setProblem(failedSentence(error))));
    return () => clearTimeout(timer);
  }, [api, session, code]);
  if (problem !== undefined) return <SendVerification returnTo={returnTo} problem={problem} />;
  return (
    <SignInFrame title={TITLE}>
      <output>Verifying your address…</output>
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
          Please verify your email address first: open the link that we have sent to <strong>{email}</strong>. It works
          once, for {linkLife('verify')}.
        </>
      }
      foot={
        <p>
          Not your address?{' '}
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
      <Done>{sent && `We have sent another link to ${email}.`}</Done>
    </SignInFrame>
  );
}
