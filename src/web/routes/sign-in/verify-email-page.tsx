import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { formatLinkLifetime } from '#domain/email-links.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { loginUrl } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import type { Session } from '#web/session/session.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useOnce } from '#web/ui/use-once.ts';
import { LinkProgress } from './link-progress.tsx';
import { getAddressAfterLogin } from './route.ts';
import { NO_CREDENTIALS, PasswordForm, SuccessMessage } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEmailedCode, useSignIn } from './use-sign-in.ts';

type VerifyEmailPageProps = {
  /** The path to open once the email is verified. */
  returnTo: string | undefined;
  /** The code from an emailed link. */
  code: string | undefined;
  /** True if the link was emailed to a new address, which replaces the current one. */
  isNew: boolean;
};

const TITLE = m.verifyTitle();
const NEW_TITLE = m.newEmailTitle();

/**
 * Asks the person to verify their email; the emailed link opens this page too. Only the account's owner can verify the
 * email, so the link requires a login first. Once the email is verified, here or in another tab, `returnTo` opens.
 */
export function VerifyEmailPage({ returnTo, code: emailedCode, isNew }: VerifyEmailPageProps) {
  const code = useEmailedCode(emailedCode);
  const { authenticated } = useSession();
  if (!authenticated) return <SignInToVerify returnTo={returnTo} isNew={isNew} />;
  if (isNew) return <ConfirmNewEmail code={code ?? ''} returnTo={returnTo} />;
  return code === undefined ? (
    <SendVerification returnTo={returnTo} />
  ) : (
    <VerifyAddress code={code} returnTo={returnTo} />
  );
}

function SignInToVerify({ returnTo, isNew }: Pick<VerifyEmailPageProps, 'returnTo' | 'isNew'>) {
  const form = useForm({ initial: NO_CREDENTIALS, fields: [] });
  const { signInWithPassword } = useSignIn(returnTo);
  return (
    <SignInFrame
      title={isNew ? NEW_TITLE : TITLE}
      lead={isNew ? m.newEmailLogIn() : m.verifyLogIn()}
      footer={
        <p>
          <RichText
            text={isNew ? m.newEmailNoPassword() : m.verifyNoPassword()}
            tags={{ link: (words) => <Link to={loginUrl(returnTo ?? '/')}>{words}</Link> }}
          />
        </p>
      }
    >
      <PasswordForm form={form} onSignIn={signInWithPassword} />
    </SignInFrame>
  );
}

type EmailedCode = { code: string; returnTo: string | undefined };

/** Redeems the code from an emailed link. Unless the code was rejected, the person can try again. */
function useVerification(code: string, onDone?: (person: Session) => Promise<void>) {
  const api = useApi();
  const session = useSessionStore();
  const { run, problem, isRejected } = useAttempt();
  const verify = async () => {
    const person = await session.open(await api.call('verifyAddress', { body: { code } }));
    await onDone?.(person);
  };
  const onRetry = () => void run(verify);
  useOnce(onRetry);
  return { problem, isRejected, onRetry };
}

/** Replaces the account's email with the address that received the link. */
function ConfirmNewEmail({ code, returnTo }: EmailedCode) {
  const navigate = useNavigate();
  const toast = useToast();
  const { isRejected, ...verification } = useVerification(code, async (person) => {
    await navigate(getAddressAfterLogin(person, returnTo), { replace: true });
    toast(m.accountEmailChanged({ email: person.email }));
  });
  return (
    <SignInFrame title={NEW_TITLE}>
      {isRejected ? (
        <>
          <Problem tone="box">{verification.problem}</Problem>
          <ButtonLink wide to={pagePath('account-page', {})}>
            {m.newEmailAgain()}
          </ButtonLink>
        </>
      ) : (
        <LinkProgress text={m.newEmailWorking()} {...verification} />
      )}
    </SignInFrame>
  );
}

function VerifyAddress({ code, returnTo }: EmailedCode) {
  const { isRejected, ...verification } = useVerification(code);
  if (isRejected) return <SendVerification returnTo={returnTo} problem={verification.problem} />;
  return (
    <SignInFrame title={TITLE}>
      <LinkProgress text={m.verifyWorking()} {...verification} />
    </SignInFrame>
  );
}

type SendVerificationProps = { returnTo: string | undefined; problem?: string | undefined };

function SendVerification({ returnTo, problem: previousProblem }: SendVerificationProps) {
  const api = useApi();
  const store = useSessionStore();
  const { email } = useSession();
  const { busy, problem, run } = useAttempt();
  const [isSent, setIsSent] = useState(false);
  const send = async () => {
    const body = returnTo === undefined ? {} : { returnTo };
    const response = await run(() => api.call('sendVerification', { body }));
    setIsSent(response !== undefined);
  };
  return (
    <SignInFrame
      title={TITLE}
      lead={
        <RichText
          text={m.verifyLead({ email, life: formatLinkLifetime('verify') })}
          tags={{ strong: (words) => <strong>{words}</strong> }}
        />
      }
      footer={
        <p>
          <RichText
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
      <Problem tone="box">{problem ?? (isSent || busy ? undefined : previousProblem)}</Problem>
      <Button wide busy={busy} onClick={() => void send()}>
        {m.sendAgain()}
      </Button>
      <SuccessMessage>{isSent && m.verifySentAgain({ email })}</SuccessMessage>
    </SignInFrame>
  );
}
