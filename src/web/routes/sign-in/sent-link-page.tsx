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
  /** Where the link was sent; nothing if the address in the query is not valid. */
  email: string | undefined;
  returnTo: string | undefined;
};

/** Confirms that a sign-in link was sent (§2). When the link is opened in this browser, this page moves on too. */
export function SentLinkPage({ email, returnTo }: SentLinkPageProps) {
  const { sendLink } = useSignIn(returnTo);
  const { busy, problem, run } = useAttempt();
  const [resent, setResent] = useState(false);
  const sendAgain = async (address: string) => {
    if (await run(() => sendLink(address))) setResent(true);
  };
  return (
    <SignInFrame
      title="Check your mail"
      lead={
        <>
          We’ve sent a link to <strong>{email ?? 'your email'}</strong>. Open it on this device to log in. It works once
          and expires in {linkLife('sign-in')}.
        </>
      }
      foot={
        <p>
          Don’t see it? It can take five minutes. Check your spam folder, or{' '}
          <Link to={withReturnTo(pagePath('login-page', {}), returnTo)}>try another way</Link>.
        </p>
      }
    >
      {email !== undefined && (
        <>
          <Problem>{problem}</Problem>
          <Button kind="outline" wide busy={busy} onClick={() => void sendAgain(email)}>
            Send again
          </Button>
          <Done>{resent && !busy && problem === undefined && 'We’ve sent another link.'}</Done>
        </>
      )}
    </SignInFrame>
  );
}
