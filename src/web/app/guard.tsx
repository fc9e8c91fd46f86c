import { FAILURES } from '#domain/failures.ts';
import { type Actor, can, VISITOR } from '#domain/permissions.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { loginAddress } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import type { Session } from '#web/session/session.ts';
import { type LoadInput, type Page, type PageGuard, Replacement } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';

/**
 * A page for those alone who may do something there (§6), asked of the same table as the calls. A visitor is led to the
 * login page and back; who has to prove the address is told so; anybody else sees the forbidden page. What is refused
 * while its data is loaded shows the same. A page for the signed-out leads those who are signed in straight on.
 */
export function guarded(page: Page): Page {
  const { guard } = page;
  if (guard === undefined) return page;
  return {
    ...page,
    load: async (input) => {
      const bar = await barOf(guard, input);
      if (bar) return bar;
      try {
        return await page.load(input);
      } catch (error) {
        return (await barOfRefusal(error, input)) ?? Promise.reject(error);
      }
    },
  };
}

async function barOf(guard: PageGuard, input: LoadInput): Promise<Replacement | Redirect | undefined> {
  const session = await input.context.session.ready();
  if (guard === 'signed-out') return session.authenticated ? new Redirect(wayOn(input)) : undefined;
  if (!session.authenticated) return toLogin(input);
  const subject = { ownerId: session.uid, ...(input.params.orgid === undefined ? {} : { orgId: input.params.orgid }) };
  return can(actorOf(session), guard, subject) ? undefined : refused(input);
}

async function barOfRefusal(error: unknown, input: LoadInput): Promise<Replacement | Redirect | undefined> {
  if (!(error instanceof ApiProblem)) return undefined;
  if (error.status === 403) return refused(input);
  return error.code === 'token-invalid' || error.code === 'login-required' ? toLogin(input) : undefined;
}

/** Where signing in leads: to where one came from, or home. */
function wayOn({ search }: LoadInput): string {
  return safeReturnTo(search.return_to) ?? '/';
}

function toLogin({ address }: LoadInput): Redirect {
  return new Redirect(loginAddress(address));
}

/** A role, or an offsetter, may wait for the proof of the address: whoever owes that is asked for it first (§2). */
async function refused(input: LoadInput): Promise<Replacement> {
  return input.context.session.now().emailVerified ? new Replacement(() => <ForbiddenPage />) : unverified(input);
}

async function unverified({ address }: LoadInput): Promise<Replacement> {
  const { VerifyEmailPage } = await import('#web/routes/sign-in/verify-email-page.tsx');
  return new Replacement(() => <VerifyEmailPage returnTo={address} code={undefined} />);
}

/** The bearer as the permission table knows one. The server decides anew at each call, and by its own knowledge. */
function actorOf({ authenticated, uid, admin, emailVerified, editorOf }: Session): Actor {
  if (!authenticated) return VISITOR;
  return { kind: 'user', userId: uid, sessionId: '', issuedAt: new Date(0), admin, emailVerified, editorOf };
}

/** What somebody sees who is signed in, and may not see a page (§2). */
function ForbiddenPage() {
  return (
    <div className={classNames(styles.message, styles.tall)}>
      <NightHouse />
      <DocumentTitle parts={['No permission', PROGRAM_NAME]} />
      <PageTitle>No permission</PageTitle>
      <p>{FAILURES.forbidden.message}</p>
      <ButtonLink to="/">Go to the home page</ButtonLink>
    </div>
  );
}
