import type { User } from '#contract/schemas/users.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import type { SessionStore } from '#web/session/session-store.ts';
import { guardedOrgPage, guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export type UserHomeData = { readonly userId: string };
export type EditOffsetterData = { readonly offsetterId: string };

const userHomeProps = ({ session }: { readonly session: SessionStore }): UserHomeData => ({
  userId: session.now().uid,
});

export const MY_PAGES: readonly PageRoute[] = [
  guardedSitePage('user-home-page', {
    can: 'session.read',
    component: async () => (await import('./user-home-page.tsx')).UserHomePage,
    props: userHomeProps,
    load: ({ api }, { userId }) => loadUserHome(api, userId),
  }),
  guardedSitePage('account-page', {
    can: 'session.read',
    component: async () => (await import('./account-page.tsx')).AccountPage,
    props: userHomeProps,
    load: ({ api }, { userId }) => loadAccount(api, userId),
  }),
  guardedOrgPage('edit-offsetter-page', {
    can: 'session.read',
    component: async () => (await import('./edit-offsetter-page.tsx')).EditOffsetterPage,
    props: ({ params }): EditOffsetterData => ({ offsetterId: params.offsetterid }),
    load: ({ api, params }, { offsetterId }) => loadQuery(offsetterQuery(api, params.orgid, offsetterId)),
  }),
];

async function loadUserHome(api: ApiClient, userId: string): Promise<void> {
  const giving = givingQuery(api, await loadQuery(userQuery(api, userId)));
  if (giving) await loadQuery(giving);
}

async function loadAccount(api: ApiClient, userId: string): Promise<void> {
  const [{ emailVerified }] = await Promise.all([loadQuery(userQuery(api, userId)), loadQuery(sessionsQuery(api))]);
  if (emailVerified) await loadQuery(secondFactorsQuery(api));
}

export function userQuery(api: ApiClient, userId: string) {
  return callQuery(api, 'readUser', { params: { userid: userId } });
}

/** The person's open sessions. */
export function sessionsQuery(api: ApiClient) {
  return callQuery(api, 'readSessions', {});
}

/**
 * Query for a user's gifts; undefined if the email is unverified, because only the email's owner may see the gifts
 * (decisions §4).
 */
export function givingQuery(api: ApiClient, { id, emailVerified }: Pick<User, 'id' | 'emailVerified'>) {
  return emailVerified ? callQuery(api, 'readGiving', { params: { userid: id } }) : undefined;
}

/** Query for the second factors. Requires a verified email. */
export function secondFactorsQuery(api: ApiClient) {
  return callQuery(api, 'readSecondFactors', {});
}

export function offsetterQuery(api: ApiClient, orgId: string, offsetterId: string) {
  return callQuery(api, 'readOffsetterToEdit', { params: { orgid: orgId, offsetterid: offsetterId } });
}
