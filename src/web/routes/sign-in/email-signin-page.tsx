import { useCallback, useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { failedSentence } from '#web/api/refusal.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { afterLogin } from './route.ts';
import { EmailForm, Problem } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { storedEmail, useMailedCode, useSignIn } from './use-sign-in.ts';

type EmailSigninPageProps = { code: string | undefined; returnTo: string | undefined };

/** Where a sign-in link leads (§4). It logs in right away in the browser that asked for it; others ask for the email. */
export function EmailSigninPage({ code: given, returnTo }: EmailSigninPageProps) {
  const code = useMailedCode(given);
  if (code === undefined) {
    return (
      <SignInFrame title="Log in" lead="This link is incomplete. Please open it from the email again.">
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
  const [known] = useState(() => storedEmail().read());
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>();
  /** What was typed when the link did not work: another address can be tried, or a new link asked for. */
  const [refused, setRefused] = useState<string>();
  const signIn = useCallback(
    async (email: string) => {
      const answer = await api.call('signInByLink', { body: { email, code } });
      storedEmail().write(null);
      const next =
        'token' in answer
          ? afterLogin(await session.open(answer), returnTo)
          : withReturnTo(pagePath('second-step-page', {}), returnTo);
      await navigate(next, { replace: true });
    },
    [api, session, navigate, code, returnTo],
  );
  const { sendLink, showSent } = useSignIn(returnTo);
  const isRefused = refused === typed;
  const submit = async (email: string) => {
    if (isRefused) {
      await sendLink(email);
      await showSent(email);
      return;
    }
    await signIn(email).catch((failure: unknown) => {
      if (isExpired(failure)) setRefused(typed);
      throw failure;
    });
  };
  const tryKnown = useCallback(
    async (email: string) => {
      setError(undefined);
      await signIn(email).catch(setError);
    },
    [signIn],
  );
  useEffect(() => {
    if (known === null) return;
    // React's strict mode mounts twice, and a link works once.
    const timer = setTimeout(() => void tryKnown(known));
    return () => clearTimeout(timer);
  }, [known, tryKnown]);
  if (known !== null) {
    if (error === undefined) {
      return (
        <SignInFrame title="Log in">
          <output>Logging you in…</output>
        </SignInFrame>
      );
    }
    return isExpired(error) ? (
      <ExpiredLink email={known} returnTo={returnTo} />
    ) : (
      <SignInFrame title="Log in">
        <Problem>{failedSentence(error)}</Problem>
        <Button wide onClick={() => void tryKnown(known)}>
          Try again
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Log in"
      foot={
        <p>
          Has the link expired? <Link to={newLinkAddress(returnTo)}>Get a new link</Link>
        </p>
      }
    >
      <EmailForm
        action={isRefused ? 'Send me a new link' : 'Log in'}
        label="Please provide your email for confirmation"
        email={typed}
        onEmail={setTyped}
        onSend={submit}
      />
    </SignInFrame>
  );
}

function isExpired(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'link-invalid';
}

function ExpiredLink({ email, returnTo }: { email: string; returnTo: string | undefined }) {
  const { sendLink, showSent } = useSignIn(returnTo);
  const { busy, problem, run } = useAttempt();
  const send = async () => {
    await sendLink(email);
    await showSent(email);
  };
  return (
    <SignInFrame
      title="Log in"
      lead="This link has expired or was already used."
      foot={
        <p>
          Not {email}? <Link to={newLinkAddress(returnTo)}>Use another email</Link>
        </p>
      }
    >
      <Problem>{problem}</Problem>
      <Button wide busy={busy} onClick={() => void run(send)}>
        Send me a new link
      </Button>
    </SignInFrame>
  );
}
