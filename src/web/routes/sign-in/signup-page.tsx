import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { linkLife } from '#domain/mailed-links.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { type SignUpDraft, SignUpForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Making an account with a password (§2). What comes of it is mailed, so that nobody learns who has an account. */
export function SignupPage({ returnTo }: { returnTo: string | undefined }) {
  const api = useApi();
  const [sentTo, setSentTo] = useState<string>();
  const signUp = async (draft: SignUpDraft) => {
    await api.call('signUp', { body: { ...draft, ...(returnTo === undefined ? {} : { returnTo }) } });
    setSentTo(draft.email);
  };
  const toLogin = (
    <p>
      Already have an account? <Link to={withReturnTo(pagePath('login-page', {}), returnTo)}>Log in</Link>
    </p>
  );
  if (sentTo !== undefined) {
    return (
      <SignInFrame
        title="Check your mail"
        lead={
          <>
            We have sent a link to <strong>{sentTo}</strong>. Open it within {linkLife('verify')} to verify your
            address.
          </>
        }
        foot={toLogin}
      >
        <p>Nothing there? It may be in the spam folder, or the address may be mistyped.</p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Sign up" foot={toLogin}>
      <SignUpForm onSignUp={signUp} />
    </SignInFrame>
  );
}
