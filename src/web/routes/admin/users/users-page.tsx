import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { PeopleList } from './people-list.tsx';
import { loadPeople, type UsersData } from './route.ts';

/** The people who have an account, for admins (decisions §4). */
export function UsersPage({ people }: SiteFrameData & UsersData) {
  const api = useApi();
  const { uid } = useSession();
  const leaveSignedOut = useLeaveSignedOut();
  const toast = useToast();
  return (
    <Page>
      <DocumentTitle parts={['Users', PROGRAM_NAME]} />
      <PageTitle>Users</PageTitle>
      <PeopleList
        first={people}
        find={(query, cursorRef) => loadPeople(api, query, cursorRef)}
        selfId={uid}
        setAdmin={async ({ id, displayName, email }, admin) => {
          const person = await api.call('setAdmin', { params: { userid: id }, body: { admin } });
          // Whoever gives the power away has no session left (decisions §4).
          if (id === uid && !admin) await leaveSignedOut('/', 'You are no admin any more');
          else toast(`${displayName || email} is ${admin ? 'an admin now' : 'no admin any more'}`);
          return person;
        }}
      />
    </Page>
  );
}
