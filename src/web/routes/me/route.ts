import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { OpenSession, SecondFactors } from '#contract/schemas/session.ts';
import type { Giving, User } from '#contract/schemas/users.ts';
import type { ApiClient } from '#web/api/client.ts';
import { orgPage, type Page, sitePage } from '#web/site/page.ts';

export type EditOffsetterData = { readonly offsetter: EditableOffsetter };
export type UserHomeData = {
  readonly user: User;
  /** The person's open sessions. */
  readonly sessions: readonly OpenSession[];
  /** Missing while the email is not verified: gifts are shown only to the email's owner (decisions §4). */
  readonly giving: Giving | undefined;
  /** Missing for the same reason. */
  readonly secondFactors: SecondFactors | undefined;
};

export const MY_PAGES: readonly Page[] = [
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
      async ({ api, params }) => ({ offsetter: await api.call('readOffsetterToEdit', { params }) }),
    ),
  },
];

async function loadUserHome(api: ApiClient, userid: string): Promise<UserHomeData> {
  const params = { userid };
  const [user, sessions] = await Promise.all([api.call('readUser', { params }), api.call('readSessions', {})]);
  if (!user.emailVerified) return { user, sessions, giving: undefined, secondFactors: undefined };
  const [giving, secondFactors] = await Promise.all([
    api.call('readGiving', { params }),
    api.call('readSecondFactors', {}),
  ]);
  return { user, sessions, giving, secondFactors };
}
