import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import type { FailureCode } from '#domain/failures.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import type { SessionStore } from '#web/session/session-store.ts';
import { getSignInEmailStorage } from '#web/session/sign-in-email-storage.ts';
import type { SitePageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useOnce } from '#web/ui/use-once.ts';
import { getAddressAfterLogin } from './route.ts';
import { EmailForm, SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEmailedCode, useSignIn } from './use-sign-in.ts';

type EmailSigninPageProps = SitePageProps & {
  code: string | undefined;
  returnTo: string | undefined;
  /** True if the link comes from an invitation to a role. */
  isInvitation: boolean;
};

/** The browser that requested the sign-in link logs in right away; other browsers ask for the email first (§4). */
export function EmailSigninPage({ code: emailedCode, returnTo, isInvitation, org }: EmailSigninPageProps) {
  const code = useEmailedCode(emailedCode);
  if (code === undefined) {
    return (
      <SignInFrame title={m.logIn()} lead={m.signInLinkIncomplete()}>
        <ButtonLink kind="outline" wide to={newLinkAddress(returnTo)}>
          {m.signInNewLink()}
        </ButtonLink>
      </SignInFrame>
    );
  }
  const link = { code, returnTo };
  return isInvitation ? <AcceptInvitation {...link} orgName={org?.name} /> : <SignInByLink {...link} />;
}

/** Starts the session, unless the account has a second step. @returns the next page's address */
async function finishSignIn(
  session: Pick<SessionStore, 'open'>,
  response: ResponseBody<'signInWithLink'>,
  returnTo: string | undefined,
): Promise<string> {
  if ('token' in response) return getAddressAfterLogin(await session.open(response), returnTo);
  return withReturnTo(pagePath('second-step-page', {}), returnTo);
}

type AcceptInvitationProps = { code: string; returnTo: string | undefined; orgName: string | undefined };

/** Accepts only when the button is pressed, because email scanners open links and run scripts. */
function AcceptInvitation({ code, returnTo, orgName }: AcceptInvitationProps) {
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [hasExpired, setHasExpired] = useState(false);
  const { run, clear, ...attempt } = useAttempt();
  const accept = async () => {
    try {
      const response = await api.call('acceptInvitation', { body: { code, name } });
      getSignInEmailStorage().write(null);
      await navigate(await finishSignIn(session, response, returnTo), { replace: true });
    } catch (error) {
      if (!isExpired(error)) throw error;
      setHasExpired(true);
    }
  };
  if (hasExpired) {
    return (
      <SignInFrame title={m.invitationTitle()} lead={m.invitationExpired()} footer={<p>{m.invitationAskAgain()}</p>}>
        <ButtonLink wide to={newLinkAddress(returnTo)}>
          {m.logIn()}
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={m.invitationTitle()}
      lead={orgName === undefined ? m.invitationLeadUnnamed() : m.invitationLead({ org: orgName })}
    >
      <SignInForm
        submitLabel={m.invitationAction()}
        attempt={attempt}
        isReady={name.trim() !== ''}
        onSubmit={() => void run(accept)}
      >
        <TextField
          label={m.invitationName()}
          name="name"
          autoComplete="name"
          hint={m.invitationNameHint()}
          value={name}
          onChange={({ currentTarget }) => {
            clear();
            setName(currentTarget.value);
          }}
        />
      </SignInForm>
    </SignInFrame>
  );
}

function newLinkAddress(returnTo: string | undefined): string {
  return withReturnTo(pagePath('login-page', {}), returnTo);
}

function SignInByLink({ code, returnTo }: { code: string; returnTo: string | undefined }) {
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const [savedEmail] = useState(() => getSignInEmailStorage().read());
  const [emailText, setEmailText] = useState('');
  const [error, setError] = useState<unknown>();
  /** The email that didn't match the link. The person can try another email or request a new link. */
  const [rejectedEmail, setRejectedEmail] = useState<string>();
  const signIn = async (email: string) => {
    const response = await api.call('signInWithLink', { body: { email, code } });
    getSignInEmailStorage().write(null);
    await navigate(await finishSignIn(session, response, returnTo), { replace: true });
  };
  const { sendLink, showSentPage } = useSignIn(returnTo);
  const isRejected = rejectedEmail === emailText;
  const submit = async (email: string) => {
    if (isRejected) {
      await sendLink(email);
      await showSentPage(email);
      return;
    }
    await signIn(email).catch((failure: unknown) => {
      if (isExpired(failure)) setRejectedEmail(emailText);
      throw failure;
    });
  };
  const signInWithSavedEmail = async (email: string) => {
    setError(undefined);
    await signIn(email).catch(setError);
  };
  useOnce(() => void (savedEmail !== null && signInWithSavedEmail(savedEmail)));
  const isOtherAddress = hasCode(error, 'link-other-address');
  if (savedEmail !== null && !isOtherAddress) {
    if (error === undefined) {
      return (
        <SignInFrame title={m.logIn()}>
          <output>{m.signInWorking()}</output>
        </SignInFrame>
      );
    }
    return isExpired(error) ? (
      <ExpiredLink email={savedEmail} returnTo={returnTo} />
    ) : (
      <SignInFrame title={m.logIn()}>
        <Problem tone="box">{failureMessage(error)}</Problem>
        <Button wide onClick={() => void signInWithSavedEmail(savedEmail)}>
          {m.tryAgain()}
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={m.logIn()}
      lead={isOtherAddress ? failureMessage(error) : undefined}
      footer={
        <p>
          <RichText
            text={m.signInHasExpired()}
            tags={{ link: (words) => <Link to={newLinkAddress(returnTo)}>{words}</Link> }}
          />
        </p>
      }
    >
      <EmailForm
        submitLabel={isRejected ? m.signInSendNewLink() : m.logIn()}
        label={m.signInConfirmEmail()}
        email={emailText}
        onEmail={setEmailText}
        onSend={submit}
      />
    </SignInFrame>
  );
}

function isExpired(error: unknown): boolean {
  return hasCode(error, 'link-invalid');
}

function hasCode(error: unknown, code: FailureCode): boolean {
  return error instanceof ApiProblem && error.code === code;
}

function ExpiredLink({ email, returnTo }: { email: string; returnTo: string | undefined }) {
  const { sendLink, showSentPage } = useSignIn(returnTo);
  const { busy, problem, run } = useAttempt();
  const send = async () => {
    await sendLink(email);
    await showSentPage(email);
  };
  return (
    <SignInFrame
      title={m.logIn()}
      lead={m.signInLinkExpired()}
      footer={
        <p>
          <RichText
            text={m.signInOtherEmail({ email })}
            tags={{ link: (words) => <Link to={newLinkAddress(returnTo)}>{words}</Link> }}
          />
        </p>
      }
    >
      <Problem tone="box">{problem}</Problem>
      <Button wide busy={busy} onClick={() => void run(send)}>
        {m.signInSendNewLink()}
      </Button>
    </SignInFrame>
  );
}
