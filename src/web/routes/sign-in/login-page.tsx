import { useSyncExternalStore } from 'react';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import type { SitePageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { KeyIcon } from '#web/ui/key-icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import styles from './sign-in.module.css';
import { EmailForm, NO_CREDENTIALS, PasswordForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useSignIn } from './use-sign-in.ts';

type LoginPageProps = SitePageProps & {
  /** The path to open after the login. */
  returnTo: string | undefined;
  /** True if Google sign-in failed or was canceled. */
  googleFailed: boolean;
};

const subscribeToNothing = () => () => {};

/** All login methods (§2), with a single email field. */
export function LoginPage({ site, returnTo, googleFailed }: LoginPageProps) {
  const form = useForm({ initial: NO_CREDENTIALS, fields: [] });
  const { email } = form.values;
  const signIn = useSignIn(returnTo);
  const supportsPasskeys = useSyncExternalStore(
    subscribeToNothing,
    () => 'PublicKeyCredential' in window,
    () => true,
  );
  const sendLink = async (address: string) => {
    await signIn.sendLink(address);
    await signIn.showSentPage(address);
  };
  const startGoogleSignIn = () => signIn.signInWithGoogle(isEmail(email.trim()) ? email.trim() : '');
  return (
    <SignInFrame title={m.logIn()} footer={<SignUpPrompt google={site.googleSignIn} returnTo={returnTo} />}>
      {site.googleSignIn && (
        <>
          <GoogleButton problem={googleFailed ? m.signInGoogleFailed() : undefined} onStart={startGoogleSignIn} />
          <OrDivider />
        </>
      )}
      <EmailForm
        title={m.signInLinkTitle()}
        submitLabel={m.signInLinkAction()}
        autoComplete="username"
        email={email}
        onEmail={(newEmail) => form.change({ email: newEmail })}
        onSend={sendLink}
      />
      <OrDivider />
      <PasswordForm title={m.signInPasswordTitle()} sharesEmail form={form} onSignIn={signIn.signInWithPassword} />
      {supportsPasskeys && (
        <>
          <OrDivider />
          <PasskeyButton onStart={signIn.signInWithPasskey} />
        </>
      )}
    </SignInFrame>
  );
}

function SignUpPrompt({ google, returnTo }: { google: boolean; returnTo: string | undefined }) {
  return (
    <>
      <p>{google ? m.signInNewHereGoogle() : m.signInNewHere()}</p>
      <p>
        <RichText
          text={m.signInPreferPassword()}
          tags={{ link: (words) => <Link to={withReturnTo(pagePath('signup-page', {}), returnTo)}>{words}</Link> }}
        />
      </p>
    </>
  );
}

type GoogleButtonProps = {
  problem: string | undefined;
  onStart: () => Promise<void>;
};

function GoogleButton({ problem, onStart }: GoogleButtonProps) {
  const attempt = useAttempt();
  return (
    <div className={styles.google}>
      <Problem tone="box">{attempt.problem ?? problem}</Problem>
      <Button
        kind="outline"
        wide
        busy={attempt.busy}
        className={styles.button}
        onClick={() => void attempt.run(onStart)}
      >
        <GoogleMark />
        {m.signInGoogle()}
      </Button>
    </div>
  );
}

function PasskeyButton({ onStart }: { onStart: () => Promise<void> }) {
  const attempt = useAttempt();
  return (
    <div className={styles.google}>
      <Problem tone="box">{attempt.problem}</Problem>
      <Button
        kind="outline"
        wide
        busy={attempt.busy}
        className={styles.button}
        onClick={() => void attempt.run(onStart)}
      >
        <KeyIcon />
        {m.signInPasskey()}
      </Button>
    </div>
  );
}

/** Google's logo, in the colors that Google requires. */
function GoogleMark() {
  return (
    <svg width={20} height={20} viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#ea4335"
        d="M24 9.500c3.540 0 6.710 1.220 9.210 3.600l6.850-6.850C35.900 2.380 30.470 0 24 0 14.620 0 6.510 5.380 2.560 13.220l7.980 6.190C12.430 13.720 17.740 9.500 24 9.500Z"
      />
      <path
        fill="#4285f4"
        d="M46.980 24.550c0-1.570-.15-3.090-.38-4.550H24v9.020h12.940c-.58 2.960-2.260 5.480-4.780 7.180l7.730 6c4.510-4.180 7.090-10.360 7.090-17.650Z"
      />
      <path
        fill="#fbbc05"
        d="M10.530 28.590A14.500 14.500 0 0 1 9.770 24c0-1.600.27-3.140.76-4.590l-7.980-6.190A23.900 23.900 0 0 0 0 24c0 3.870.92 7.530 2.560 10.780l7.970-6.190Z"
      />
      <path
        fill="#34a853"
        d="M24 48c6.480 0 11.930-2.130 15.890-5.810l-7.730-6C30.010 37.640 27.240 38.490 24 38.490c-6.260 0-11.570-4.220-13.470-9.910l-7.980 6.190C6.510 42.620 14.620 48 24 48Z"
      />
    </svg>
  );
}

function OrDivider() {
  return <p className={styles.divider}>{m.signInOr()}</p>;
}
