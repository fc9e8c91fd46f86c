import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

export type UserHomeData = { readonly userid: string };
export type EditOffsetterData = { readonly offsetterid: string };

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
    ...orgPage(
      'edit-offsetter-page',
      async () => (await import('./edit-offsetter-page.tsx')).EditOffsetterPage,
      async ({ api, params: { orgid, offsetterid } }) => {
        await loadQuery(offsetterQuery(api, orgid, offsetterid));
        return { offsetterid };
      },
    ),
  },
];

async function loadUserHome(api: ApiClient, userid: string): Promise<UserHomeData> {
  const [{ emailVerified }] = await Promise.all([loadQuery(userQuery(api, userid)), loadQuery(sessionsQuery(api))]);
  if (emailVerified) {
    await Promise.all([loadQuery(givingQuery(api, userid)), loadQuery(secondFactorsQuery(api))]);
  }
  return { userid };
}

export function userQuery(api: ApiClient, userid: string) {
  return callQuery(api, 'readUser', { params: { userid } });
}

/** The person's open sessions. */
export function sessionsQuery(api: ApiClient) {
  return callQuery(api, 'readSessions', {});
}

/** Only for a verified email: gifts are shown only to the email's owner (decisions §4). */
export function givingQuery(api: ApiClient, userid: string) {
  return callQuery(api, 'readGiving', { params: { userid } });
}

/** Only for a verified email. */
export function secondFactorsQuery(api: ApiClient) {
  return callQuery(api, 'readSecondFactors', {});
}

export function offsetterQuery(api: ApiClient, orgid: string, offsetterid: string) {
  return callQuery(api, 'readOffsetterToEdit', { params: { orgid, offsetterid } });
}
