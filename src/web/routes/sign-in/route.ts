import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { type Search, withReturnTo } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { landingPath } from '#web/session/landing.ts';
import type { Session } from '#web/session/session.ts';
import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

/** The path to open after login. Addresses outside this site are ignored. */
const readReturnTo = ({ return_to }: Search) => ({ returnTo: safeReturnTo(return_to) });

/** The sign-in pages, in the order of §2. Pages with the guard `signed-out` redirect a person who is logged in. */
export const SIGN_IN_PAGES: readonly PageRoute[] = [
  guardedSitePage('login-page', {
    can: 'signed-out',
    component: async () => (await import('./login-page.tsx')).LoginPage,
    props: ({ search }) => ({ ...readReturnTo(search), googleFailed: search.error === 'google' }),
  }),
  sitePage(
    'forgot-password-page',
    async () => (await import('./reset-password-pages.tsx')).ForgotPasswordPage,
    () => ({}),
  ),
  guardedSitePage('signup-page', {
    can: 'signed-out',
    component: async () => (await import('./signup-page.tsx')).SignupPage,
    props: ({ search }) => readReturnTo(search),
  }),
  guardedSitePage('sent-link-page', {
    can: 'signed-out',
    component: async () => (await import('./sent-link-page.tsx')).SentLinkPage,
    props: ({ search }) => ({
      ...readReturnTo(search),
      email: isEmail(search.email ?? '') ? search.email : undefined,
    }),
  }),
  sitePage(
    'email-signin-page',
    async () => (await import('./email-signin-page.tsx')).EmailSigninPage,
    ({ search }) => ({ ...readReturnTo(search), code: search.code, isInvitation: search.invited === '1' }),
  ),
  {
    guard: 'signed-out',
    ...sitePage(
      'second-step-page',
      async () => (await import('./second-step-page.tsx')).SecondStepPage,
      async ({ api, search }) => ({ ...readReturnTo(search), step: await api.call('startSecondStep', {}) }),
    ),
  },
  sitePage(
    'confirmed-page',
    async () => (await import('./second-step-page.tsx')).ConfirmedPage,
    () => ({}),
  ),
  sitePage(
    'reset-password-page',
    async () => (await import('./reset-password-pages.tsx')).ResetPasswordPage,
    ({ search }) => ({ code: search.code }),
  ),
  sitePage(
    'verify-email-page',
    async () => (await import('./verify-email-page.tsx')).VerifyEmailPage,
    async ({ search, session }) => {
      const person = await session.ready();
      const { returnTo } = readReturnTo(search);
      const isNew = search.new === '1';
      return person.emailVerified && !isNew
        ? new Redirect(getAddressAfterLogin(person, returnTo))
        : { returnTo, code: search.code, isNew };
    },
  ),
];

/** The address to open after login. If the role requires a second step, the login page asks to set it up. */
export function getAddressAfterLogin(
  person: Pick<Session, 'admin' | 'inactivePermissions' | 'roles'>,
  returnTo: string | undefined,
): string {
  return person.inactivePermissions
    ? withReturnTo(pagePath('login-page', {}), returnTo)
    : landingPath(person, returnTo);
}

/** The page that confirms that a sign-in link was sent (§2). */
export function sentLinkUrl(email: string, returnTo: string | undefined): string {
  return withSearch(pagePath('sent-link-page', {}), { email, return_to: returnTo });
}
