import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useApi, useSession, useSessionStore } from '../app-context.ts';
import { PeopleList } from '../features/people/people-list.tsx';
import { useNavigate } from '../navigation/use-navigator.ts';
import type { SiteFrameData } from '../page-data.ts';
import { loadPeople, type UsersData } from '../people-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import { useToast } from '../ui/toast.tsx';

/** The people who have an account, for admins (decisions §4). */
export function UsersPage({ people }: SiteFrameData & UsersData) {
  const api = useApi();
  const { uid } = useSession();
  const session = useSessionStore();
  const navigate = useNavigate();
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
          toast(`${displayName || email} is ${admin ? 'an admin now' : 'no admin any more'}`);
          if (id === uid && !admin) {
            // Whoever gives the power away has no session left (decisions §4).
            await navigate('/');
            await session.signOut();
          }
          return person;
        }}
      />
    </Page>
  );
}
