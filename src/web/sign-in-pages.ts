import { isEmail } from '#domain/profile.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { guarded } from './guard.tsx';
import type { Search } from './navigation/address.ts';
import { Redirect } from './navigation/navigator.ts';
import type { Page } from './screens.ts';
import { sitePage } from './site-page.ts';

/** Where the way leads after signing in, if that is a path of this site. */
const wayOn = ({ return_to }: Search) => ({ returnTo: safeReturnTo(return_to) });

/** The pages of signing in, in the order of §2. Those who are signed in have no business on some of them, and are led on. */
export const SIGN_IN_PAGES: readonly Page[] = [
  guarded(
    'signed-out',
    sitePage(
      'login-page',
      async () => (await import('./pages/login-page.tsx')).LoginPage,
      ({ search }) => ({ ...wayOn(search), googleFailed: search.error === 'google' }),
    ),
  ),
  sitePage(
    'forgot-password-page',
    async () => (await import('./pages/forgot-password-page.tsx')).ForgotPasswordPage,
    () => ({}),
  ),
  guarded(
    'signed-out',
    sitePage(
      'signup-page',
      async () => (await import('./pages/signup-page.tsx')).SignupPage,
      ({ search }) => wayOn(search),
    ),
  ),
  guarded(
    'signed-out',
    sitePage(
      'sent-link-page',
      async () => (await import('./pages/sent-link-page.tsx')).SentLinkPage,
      ({ search }) => ({ ...wayOn(search), email: isEmail(search.email ?? '') ? search.email : undefined }),
    ),
  ),
  sitePage(
    'email-signin-page',
    async () => (await import('./pages/email-signin-page.tsx')).EmailSigninPage,
    ({ search }) => ({ ...wayOn(search), code: search.code }),
  ),
  sitePage(
    'reset-password-page',
    async () => (await import('./pages/reset-password-page.tsx')).ResetPasswordPage,
    ({ search }) => ({ code: search.code }),
  ),
  sitePage(
    'verify-email-page',
    async () => (await import('./pages/verify-email-page.tsx')).VerifyEmailPage,
    async ({ search, session }) => {
      const { emailVerified } = await session.ready();
      const { returnTo } = wayOn(search);
      return emailVerified ? new Redirect(returnTo ?? '/') : { returnTo, code: search.code };
    },
  ),
];
