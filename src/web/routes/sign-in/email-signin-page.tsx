import { useCallback, useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { failedSentence } from '#web/api/api-error.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmailForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { keptEmail, useMailedCode } from './use-sign-in.ts';

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
