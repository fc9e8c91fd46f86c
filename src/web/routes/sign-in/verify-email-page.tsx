import { useEffect, useState } from 'react';
import { linkLifetime } from '#domain/email-links.ts';
import { m } from '#messages';
import { failureMessage } from '#web/api/error-messages.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { PasswordForm, Problem, SuccessMessage } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useMailedCode, useSignIn } from './use-sign-in.ts';

type VerifyEmailPageProps = {
  /** The path to open once the email is verified. */
  returnTo: string | undefined;
  /** The code of an emailed link. */
  code: string | undefined;
};

const TITLE = m.verifyTitle();

/**
 * Asks the person to verify their email, and is the page of the emailed link. Only the account's owner can verify it, so
 * the link asks for a login first. Once the email is verified, here or in another tab, the page continues.
 */
export function VerifyEmailPage({ returnTo, code: mailedCode }: VerifyEmailPageProps) {
  const code = useMailedCode(mailedCode);
  const { authenticated } = useSession();
  if (!authenticated) return <SignInToVerify returnTo={returnTo} />;
  return code === undefined ? (
    <SendVerification returnTo={returnTo} />
  ) : (
    <VerifyAddress code={code} returnTo={returnTo} />
  );
}

function SignInToVerify({ returnTo }: Pick<VerifyEmailPageProps, 'returnTo'>) {
  const [email, setEmail] = useState('');
  const { byPassword } = useSignIn(returnTo);
  return (
    <SignInFrame
      title={TITLE}
      lead={m.verifyLogIn()}
      foot={
        <p>
          <Rich
            text={m.verifyNoPassword()}
            tags={{ link: (words) => <Link to={loginAddress(returnTo ?? '/')}>{words}</Link> }}
          />
        </p>
      }
    >
      <PasswordForm email={email} onEmail={setEmail} onSignIn={byPassword} />
    </SignInFrame>
  );
}

function VerifyAddress({ code, returnTo }: { code: string; returnTo: string | undefined }) {
  const api = useApi();
  const session = useSessionStore();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const verify = async () => session.open(await api.call('verifyAddress', { body: { code } }));
    // React's strict mode mounts twice, and a link works once.
    const timer = setTimeout(() => verify().catch((error: unknown) => setProblem(failureMessage(error))));
    return () => clearTimeout(timer);
  }, [api, session, code]);
  if (problem !== undefined) return <SendVerification returnTo={returnTo} problem={problem} />;
  return (
    <SignInFrame title={TITLE}>
      <output>{m.verifyWorking()}</output>
    </SignInFrame>
  );
}

function SendVerification({ returnTo, problem: previousProblem }: { returnTo: string | undefined; problem?: string }) {
  const api = useApi();
  const store = useSessionStore();
  const { email } = useSession();
  const { busy, problem, run } = useAttempt();
  const [sent, setSent] = useState(false);
  const send = async () => {
    const body = returnTo === undefined ? {} : { returnTo };
    const response = await run(() => api.call('sendVerification', { body }));
    setSent(response !== undefined);
  };
  return (
    <SignInFrame
      title={TITLE}
      lead={
        <Rich
          text={m.verifyLead({ email, life: linkLifetime('verify') })}
          tags={{ strong: (words) => <strong>{words}</strong> }}
        />
      }
      foot={
        <p>
          <Rich
            text={m.verifyNotYours()}
            tags={{
              button: (words) => (
                <Button kind="quiet" onClick={() => void store.signOut()}>
                  {words}
                </Button>
              ),
            }}
          />
        </p>
      }
    >
      <Problem>{problem ?? (sent || busy ? undefined : previousProblem)}</Problem>
      <Button wide busy={busy} onClick={() => void send()}>
        {m.sendAgain()}
      </Button>
      <SuccessMessage>{sent && m.verifySentAgain({ email })}</SuccessMessage>
    </SignInFrame>
  );
}
