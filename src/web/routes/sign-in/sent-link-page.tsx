import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { linkLife } from '#domain/mailed-links.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Done, Problem } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useSignIn } from './use-sign-in.ts';

type SentLinkPageProps = {
  /** The address that the link was sent to; nothing where it is none. */
  email: string | undefined;
  returnTo: string | undefined;
};

/** Says that a sign-in link was sent (§2). Once the link was used in this browser, the page leads on by itself. */
export function SentLinkPage({ email, returnTo }: SentLinkPageProps) {
  const { sendLink } = useSignIn(returnTo);
  const { busy, problem, run } = useAttempt();
  const [again, setAgain] = useState(0);
  const sendAgain = async (address: string) => {
    if (await run(() => sendLink(address))) setAgain(again + 1);
  };
  return (
    <SignInFrame
      title="Check your mail"
      lead={
        <>
          We have sent a link to <strong>{email ?? 'your address'}</strong>. Open it in this browser, and you are signed
          in. It works once, for {linkLife('sign-in')}.
        </>
      }
      foot={
        <p>
          Nothing there, not even in the spam folder?{' '}
          <Link to={withReturnTo(pagePath('login-page', {}), returnTo)}>Use another address or another way</Link>
        </p>
      }
    >
      {email !== undefined && (
        <>
          <Problem>{problem}</Problem>
          <Button kind="outline" wide busy={busy} onClick={() => void sendAgain(email)}>
            Send again
          </Button>
          <Done>{again > 0 && !busy && problem === undefined && 'We have sent another link.'}</Done>
        </>
      )}
    </SignInFrame>
  );
}
