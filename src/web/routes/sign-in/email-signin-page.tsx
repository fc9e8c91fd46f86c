import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import type { Role } from '#domain/permissions.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
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
import { LinkProgress } from './link-progress.tsx';
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
  const form = useForm({ initial: { name: '' }, fields: [] });
  const { name } = form.values;
  const [invitation, setInvitation] = useState<ResponseBody<'readInvitation'> | 'invalid'>();
  useOnce(() => {
    // Other failures are ignored: the invitation can be accepted without its details.
    api.call('readInvitation', { body: { code } }).then(setInvitation, (failure: unknown) => {
      if (failure instanceof ApiProblem && failure.code === 'link-invalid') setInvitation('invalid');
    });
  });
  const accept = async () => {
    const response = await api.call('acceptInvitation', { body: { code, name } });
    getSignInEmailStorage().write(null);
    await navigate(await finishSignIn(session, response, returnTo), { replace: true });
  };
  if (invitation === 'invalid' || form.rejectionCode === 'link-invalid') {
    return (
      <SignInFrame title={m.invitationTitle()} lead={m.invitationExpired()} footer={<p>{m.invitationAskAgain()}</p>}>
        <ButtonLink wide to={newLinkAddress(returnTo)}>
          {m.logIn()}
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={m.invitationTitle()} lead={describeInvitation(invitation, orgName)}>
      <SignInForm submitLabel={m.invitationAction()} form={form} isReady={name.trim() !== ''} onSubmit={accept}>
        <TextField
          label={m.invitationName()}
          autoComplete="name"
          hint={m.invitationNameHint()}
          aria-invalid={form.isRejected}
          {...form.fieldProps('name')}
        />
      </SignInForm>
    </SignInFrame>
  );
}

const ROLE_NAMES = {
  editor: m.roleEditor,
  texts: m.roleTexts,
  stories: m.roleStories,
  money: m.roleMoney,
  reader: m.roleReader,
} as const satisfies Record<Role, () => string>;

function describeInvitation(
  invitation: ResponseBody<'readInvitation'> | undefined,
  orgName: string | undefined,
): string {
  // The operator invites in the organization's name, usually its first editor.
  if (invitation && invitation.invitedBy !== invitation.orgName) {
    const { invitedBy, role } = invitation;
    return m.invitationDetails({ inviter: invitedBy, org: invitation.orgName, role: ROLE_NAMES[role]() });
  }
  return orgName === undefined ? m.invitationLeadUnnamed() : m.invitationLead({ org: orgName });
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
  const { run, problem, rejectionCode } = useAttempt();
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
      if (failure instanceof ApiProblem && failure.code === 'link-invalid') setRejectedEmail(emailText);
      throw failure;
    });
  };
  const signInWithSavedEmail = () => void (savedEmail !== null && run(() => signIn(savedEmail)));
  useOnce(signInWithSavedEmail);
  const isOtherAddress = rejectionCode === 'link-other-address';
  if (savedEmail !== null && !isOtherAddress) {
    if (rejectionCode === 'link-invalid') return <ExpiredLink email={savedEmail} returnTo={returnTo} />;
    return (
      <SignInFrame title={m.logIn()}>
        <LinkProgress text={m.signInWorking()} problem={problem} onRetry={signInWithSavedEmail} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={m.logIn()}
      lead={isOtherAddress ? problem : undefined}
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
