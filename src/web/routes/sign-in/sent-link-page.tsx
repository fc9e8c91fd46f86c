import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { formatLinkLifetime } from '#domain/email-links.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { SuccessMessage } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useSignIn } from './use-sign-in.ts';

type SentLinkPageProps = {
  /** The recipient; undefined if the email in the query is invalid. */
  email: string | undefined;
  returnTo: string | undefined;
};

/** Confirms that a sign-in link was sent (§2). When the link is opened in this browser, this page redirects too. */
export function SentLinkPage({ email, returnTo }: SentLinkPageProps) {
  const { sendLink } = useSignIn(returnTo);
  const { busy, problem, run } = useAttempt();
  const [wasResent, setWasResent] = useState(false);
  const life = formatLinkLifetime('sign-in');
  const sendAgain = async (address: string) => {
    if (await run(() => sendLink(address))) setWasResent(true);
  };
  return (
    <SignInFrame
      title={m.checkMailTitle()}
      lead={
        <RichText
          text={email === undefined ? m.sentLinkUnnamed({ life }) : m.sentLink({ email, life })}
          tags={{ strong: (words) => <strong>{words}</strong> }}
        />
      }
      footer={
        <p>
          <RichText
            text={m.sentLinkNotSeen()}
            tags={{ link: (words) => <Link to={withReturnTo(pagePath('login-page', {}), returnTo)}>{words}</Link> }}
          />
        </p>
      }
    >
      {email !== undefined && (
        <>
          <Problem tone="box">{problem}</Problem>
          <Button kind="outline" wide busy={busy} onClick={() => void sendAgain(email)}>
            {m.sendAgain()}
          </Button>
          <SuccessMessage>{wasResent && !busy && problem === undefined && m.sentLinkAgain()}</SuccessMessage>
        </>
      )}
    </SignInFrame>
  );
}
