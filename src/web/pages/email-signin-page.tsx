import { useCallback, useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { failedSentence } from '../api/refusal.ts';
import { useApi, useSessionStore } from '../app-context.ts';
import { EmailForm } from '../features/session/email-form.tsx';
import { keptEmail } from '../features/session/kept-email.ts';
import { SignInFrame } from '../features/session/sign-in-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { withReturnTo } from '../navigation/login-address.ts';
import { useNavigate } from '../navigation/use-navigator.ts';
import { ButtonLink } from '../ui/button.tsx';
import { useMailedCode } from './use-mailed-code.ts';

type EmailSigninPageProps = { code: string | undefined; returnTo: string | undefined };

/** Where a sign-in link leads (§4): signs in at once where this browser asked for the link, else asks for the address. */
export function EmailSigninPage({ code: given, returnTo }: EmailSigninPageProps) {
  const code = useMailedCode(given);
  if (code === undefined) {
    return (
      <SignInFrame title="Sign in" lead="This link is not complete. Please open it from the mail once more.">
        <ButtonLink kind="outline" wide to={newLinkAddress(returnTo)}>
          Get a new link
        </ButtonLink>
      </SignInFrame>
    );
  }
  return <SignInByLink code={code} returnTo={returnTo} />;
}

function newLinkAddress(returnTo: string | undefined): string {
  return withReturnTo(pagePath('login-page', {}), returnTo);
}

function SignInByLink({ code, returnTo }: { code: string; returnTo: string | undefined }) {
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const [known] = useState(() => keptEmail().read());
  const [problem, setProblem] = useState<string>();
  const signIn = useCallback(
    async (email: string) => {
      await session.open(await api.call('signInByLink', { body: { email, code } }));
      keptEmail().write(null);
      await navigate(returnTo ?? '/', { replace: true });
    },
    [api, session, navigate, code, returnTo],
  );
  useEffect(() => {
    if (known === null) return;
    // React's strict mode mounts twice at once, and a link works once.
    const timer = setTimeout(() => signIn(known).catch((error: unknown) => setProblem(failedSentence(error))));
    return () => clearTimeout(timer);
  }, [known, signIn]);
  if (known !== null && problem === undefined) {
    return (
      <SignInFrame title="Sign in">
        <output>Signing you in…</output>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Sign in"
      lead={problem === undefined ? undefined : 'That did not work.'}
      foot={
        <p>
          Is the link too old, or was it used? <Link to={newLinkAddress(returnTo)}>Get a new link</Link>
        </p>
      }
    >
      <EmailForm
        action="Sign in"
        label="Please provide your email for confirmation"
        email={known ?? ''}
        problem={problem}
        onSend={signIn}
      />
    </SignInFrame>
  );
}
