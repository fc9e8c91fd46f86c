import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

export type UserHomeData = { readonly userId: string };
export type EditOffsetterData = { readonly offsetterId: string };

export const MY_PAGES: readonly PageRoute[] = [
  {
    guard: 'session.read',
    ...sitePage(
      'user-home-page',
      async () => (await import('./user-home-page.tsx')).UserHomePage,
      ({ api, session }) => loadUserHome(api, session.now().uid),
    ),
  },
  {
    guard: 'session.read',
    ...sitePage(
      'account-page',
      async () => (await import('./account-page.tsx')).AccountPage,
      ({ api, session }) => loadAccount(api, session.now().uid),
    ),
  },
  {
    guard: 'session.read',
    ...orgPage(
      'edit-offsetter-page',
      async () => (await import('./edit-offsetter-page.tsx')).EditOffsetterPage,
      async ({ api, params: { orgid: orgId, offsetterid: offsetterId } }) => {
        await loadQuery(offsetterQuery(api, orgId, offsetterId));
        return { offsetterId };
      },
    ),
  },
];

async function loadUserHome(api: ApiClient, userId: string): Promise<UserHomeData> {
  const { emailVerified } = await loadQuery(userQuery(api, userId));
  if (emailVerified) await loadQuery(givingQuery(api, userId));
  return { userId };
}

async function loadAccount(api: ApiClient, userId: string): Promise<UserHomeData> {
  const [{ emailVerified }] = await Promise.all([loadQuery(userQuery(api, userId)), loadQuery(sessionsQuery(api))]);
  if (emailVerified) await loadQuery(secondFactorsQuery(api));
  return { userId };
}

export function userQuery(api: ApiClient, userId: string) {
  return callQuery(api, 'readUser', { params: { userid: userId } });
}

/** The person's open sessions. */
export function sessionsQuery(api: ApiClient) {
  return callQuery(api, 'readSessions', {});
}

/** Only for a verified email: gifts are shown only to the email's owner (decisions §4). */
export function givingQuery(api: ApiClient, userId: string) {
  return callQuery(api, 'readGiving', { params: { userid: userId } });
}

/** Only for a verified email. */
export function secondFactorsQuery(api: ApiClient) {
  return callQuery(api, 'readSecondFactors', {});
}

export function offsetterQuery(api: ApiClient, orgId: string, offsetterId: string) {
  return callQuery(api, 'readOffsetterToEdit', { params: { orgid: orgId, offsetterid: offsetterId } });
}
