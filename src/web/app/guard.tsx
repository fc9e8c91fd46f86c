import { pagePath } from '#contract/pages.ts';
import { formFailure } from '#domain/form-failures.ts';
import { can, ROLE_TEXTS, type Role, withSecondFactor } from '#domain/permissions.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { ApiProblem, withOfflineError } from '#web/api/api-error.ts';
import { loadQuery } from '#web/api/queries.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { loginUrl } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import { secondFactorsQuery } from '#web/routes/me/route.ts';
import { toActor } from '#web/session/actor.ts';
import { landingPath } from '#web/session/landing.ts';
import type { Session } from '#web/session/session.ts';
import { type LoadInput, type PageGuard, type PageRoute, ReplacementPage } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';

/**
 * Loads a page only for people who may see it (§6), using the same permission table as the calls. Visitors are
 * redirected to the login page and back, people with an unverified email are asked to verify it, and others see the
 * forbidden page. The same happens if the API rejects a request for the page's data. If the permissions can't be
 * loaded, the page shows an error with a retry button. Pages for visitors redirect logged-in people.
 */
export function withGuard(page: PageRoute): PageRoute {
  const { guard } = page;
  if (guard === undefined) return page;
  return {
    ...page,
    load: async (input) => {
      const denial = await accessDenial(guard, input);
      if (denial) return denial;
      try {
        return await page.load(input);
      } catch (error) {
        // When a session ends, its queries are canceled, so any error may have that cause.
        if (guard !== 'signed-out' && !input.context.session.now().authenticated) return redirectToLogin(input);
        return (await denialForError(error, input)) ?? Promise.reject(error);
      }
    },
  };
}

async function accessDenial(guard: PageGuard, input: LoadInput): Promise<ReplacementPage | Redirect | undefined> {
  const session = await input.context.session.ready();
  if (guard === 'signed-out') {
    if (!session.authenticated) return undefined;
    return session.inactivePermissions && session.emailVerified
      ? loadSecondStepSetup(input, getDestination(input, session))
      : new Redirect(getDestination(input, session));
  }
  if (!session.authenticated) return redirectToLogin(input);
  // The permissions are unknown, so any denial could be wrong.
  if (session.status === 'new') throw formFailure('authorization-failed');
  const subject = { ownerId: session.uid, ...(input.params.orgid === undefined ? {} : { orgId: input.params.orgid }) };
  const actor = toActor(session);
  if (can(actor, guard, subject)) return undefined;
  const needsSecondFactor = actor.kind === 'user' && can(withSecondFactor(actor), guard, subject);
  return needsSecondFactor ? loadSecondStepSetup(input, '/') : loadForbiddenPage(input);
}

async function denialForError(error: unknown, input: LoadInput): Promise<ReplacementPage | Redirect | undefined> {
  if (!(error instanceof ApiProblem)) return undefined;
  if (error.code === 'second-factor-needed') return loadSecondStepSetup(input, '/');
  if (error.status === 403) return loadForbiddenPage(input);
  return error.code === 'token-invalid' || error.code === 'login-required' ? redirectToLogin(input) : undefined;
}

function getDestination({ search }: LoadInput, session: Session): string {
  return landingPath(session, safeReturnTo(search.return_to));
}

function redirectToLogin({ address }: LoadInput): Redirect {
  return new Redirect(loginUrl(address));
}

/** Asks for verification first, because people with an unverified email have no roles or stories yet (§2). */
async function loadForbiddenPage(input: LoadInput): Promise<ReplacementPage> {
  const session = input.context.session.now();
  if (!session.emailVerified) return loadVerifyEmailPage(input);
  const { orgid: orgId = '' } = input.params;
  const role = Object.hasOwn(session.roles, orgId) ? session.roles[orgId] : undefined;
  return new ReplacementPage(() => <ForbiddenPage orgId={orgId} role={role} />);
}

/**
 * Loads the page for setting up the second step that the person's role requires.
 * @param skipAddress the address to open if they skip the setup
 */
async function loadSecondStepSetup({ context }: LoadInput, skipAddress: string): Promise<ReplacementPage> {
  const [{ SetUpSecondStep }] = await Promise.all([
    withOfflineError(import('#web/routes/me/set-up-second-step.tsx')),
    loadQuery(secondFactorsQuery(context.api)),
  ]);
  return new ReplacementPage(() => <SetUpSecondStep skipAddress={skipAddress} />);
}

async function loadVerifyEmailPage({ address }: LoadInput): Promise<ReplacementPage> {
  const { VerifyEmailPage } = await withOfflineError(import('#web/routes/sign-in/verify-email-page.tsx'));
  return new ReplacementPage(() => <VerifyEmailPage returnTo={address} code={undefined} isNew={false} />);
}

/** Users with a role also see its label and a link to the editors. */
function ForbiddenPage({ orgId, role }: { orgId: string; role: Role | undefined }) {
  return (
    <div className={classNames(styles.message, styles.tall)}>
      <NightHouse />
      <DocumentTitle parts={[m.forbiddenTitle(), SITE_NAME]} />
      <PageTitle>{m.forbiddenTitle()}</PageTitle>
      <p>{formFailure('forbidden').message}</p>
      {role ? (
        <>
          <p>{m.forbiddenRole({ role: ROLE_TEXTS[role].label })}</p>
          <div className={styles.actions}>
            <ButtonLink to={pagePath('overview-page', { orgid: orgId })}>{m.goToOverview()}</ButtonLink>
            <ButtonLink kind="outline" to={pagePath('editors-page', { orgid: orgId })}>
              {m.seeEditors()}
            </ButtonLink>
          </div>
        </>
      ) : (
        <ButtonLink to="/">{m.goHome()}</ButtonLink>
      )}
    </div>
  );
}
