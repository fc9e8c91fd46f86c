import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { Link } from '#web/navigation/link.tsx';
import { withReturnTo } from '#web/navigation/login-address.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { GoogleButton } from './google-button.tsx';
import { LinkForm } from './link-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { Or } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useSignIn } from './use-sign-in.ts';

type LoginPageProps = SiteFrameData & {
  /** Where the way leads after signing in. */
  returnTo: string | undefined;
  /** Whether one comes back from Google with nothing. */
  googleFailed: boolean;
};

const GOOGLE_FAILED = 'Signing in with Google did not work. Please try again, or use another way.';

/** The ways of signing in (§2). The address is typed once for all of them. */
export function LoginPage({ site, returnTo, googleFailed }: LoginPageProps) {
  const [email, setEmail] = useState('');
  const signIn = useSignIn(returnTo);
  const sendLink = async (address: string) => {
    await signIn.sendLink(address);
    await signIn.showSent(address);
  };
  const startGoogle = () => signIn.byGoogle(isEmail(email.trim()) ? email.trim() : '');
  return (
    <SignInFrame title="Log in" foot={<NoAccount google={site.googleSignIn} returnTo={returnTo} />}>
      {site.googleSignIn && (
        <>
          <GoogleButton problem={googleFailed ? GOOGLE_FAILED : undefined} onStart={startGoogle} />
          <Or />
        </>
      )}
      <LinkForm email={email} onEmail={setEmail} onSend={sendLink} />
      <Or />
      <PasswordForm title="With your password" email={email} onEmail={setEmail} onSignIn={signIn.byPassword} />
    </SignInFrame>
  );
}

function NoAccount({ google, returnTo }: { google: boolean; returnTo: string | undefined }) {
  return (
    <>
      <p>
        No account yet? {google ? 'Continue with Google, or have a link mailed to you' : 'Have a link mailed to you'}:
        your account is made when you first sign in.
      </p>
      <p>
        If you like a password better, <Link to={withReturnTo(pagePath('signup-page', {}), returnTo)}>sign up</Link>.
      </p>
    </>
  );
}
