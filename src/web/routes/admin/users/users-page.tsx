import { type SubmitEvent, useState } from 'react';
import type { User } from '#contract/schemas/users.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useList } from '#web/api/use-list.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useLeaveRole } from '#web/session/use-leave-signed-out.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList, ItemRow } from '#web/ui/layout.tsx';
import { ListFoot } from '#web/ui/list-parts.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { loadUsers, type UsersData } from './route.ts';
import styles from './users.module.css';

/** Everyone with an account; admins can search, and make other users admins (decisions §4). */
export function UsersPage({ users }: SiteFrameData & UsersData) {
  const api = useApi();
  const { uid: selfId } = useSession();
  const list = useList<User, string>({
    first: users,
    query: '',
    load: (query, cursorRef) => loadUsers(api, query, cursorRef),
  });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<User>();
  const changeAdmin = useChangeAdmin();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void list.search(typed.trim());
  };
  return (
    <Page>
      <DocumentTitle parts={['Users', PROGRAM_NAME]} />
      <PageTitle>Users</PageTitle>
      <search>
        <form onSubmit={submit} className={styles.search}>
          <TextField
            label="Name or email"
            type="search"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" busy={list.busy}>
            <Icon name="search" /> Search
          </Button>
        </form>
      </search>
      <output className={styles.found}>{foundSentence(list.items.length, list.query, list.hasMore)}</output>
      {list.items.length > 0 && (
        <ItemList>
          {list.items.map((user) => (
            <UserRow key={user.id} user={user} isSelf={user.id === selfId} onChangeAdmin={() => setChosen(user)} />
          ))}
        </ItemList>
      )}
      <ListFoot {...list} what="users" onMore={() => void list.loadMore()} />
      {chosen && (
        <AdminDialog
          user={chosen}
          isSelf={chosen.id === selfId}
          onChange={async (admin) => {
            list.put(await changeAdmin(chosen, admin));
            setChosen(undefined);
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Page>
  );
}

function foundSentence(count: number, query: string, hasMore: boolean): string {
  if (count === 0) return query === '' ? 'No users yet.' : `No user matches “${query}”.`;
  const users = count === 1 ? '1 user' : `${count} users`;
  return `${hasMore ? 'The first ' : ''}${users}${query === '' ? '' : ` for “${query}”`}`;
}

type UserRowProps = { user: User; isSelf: boolean; onChangeAdmin: () => void };

function UserRow({ user, isSelf, onChangeAdmin }: UserRowProps) {
  const { displayName, email, emailVerified, admin } = user;
  const name = displayName || email;
  return (
    <ItemRow
      title={
        <>
          {name}
          {isSelf && <span className={styles.self}> (you)</span>}
        </>
      }
      facts={displayName === '' ? undefined : email}
      actions={
        <>
          <Cluster gap={1}>
            <span className={emailVerified ? styles.mark : styles.warning}>
              {emailVerified ? 'Verified' : 'Not verified'}
            </span>
            {admin && <span className={styles.admin}>Admin</span>}
          </Cluster>
          <Button kind="outline" className={styles.button} onClick={onChangeAdmin}>
            {admin ? 'Revoke admin' : 'Make admin'}
            <VisuallyHidden>: {name}</VisuallyHidden>
          </Button>
        </>
      }
    />
  );
}

type AdminDialogProps = {
  user: User;
  isSelf: boolean;
  onChange: (admin: boolean) => Promise<void>;
  onClose: () => void;
};

function AdminDialog({ user, isSelf, onChange, onClose }: AdminDialogProps) {
  const { busy, problem, run } = useAttempt();
  const { admin, displayName, email, emailVerified } = user;
  const name = displayName === '' ? email : `${displayName} (${email})`;
  const action = admin ? 'Revoke admin' : 'Make admin';
  return (
    <ConfirmDialog
      title={action}
      confirm={action}
      destructive={admin}
      busy={busy}
      problem={problem}
      onConfirm={() => void run(() => onChange(!admin))}
      onClose={onClose}
    >
      {admin ? (
        <p>{isSelf ? 'You' : name} will no longer be able to manage users and organizations.</p>
      ) : (
        <p>
          {name} will be able to create organizations, delete offsetters, and make other users admins.
          {!emailVerified && ' This takes effect once the email is verified.'}
        </p>
      )}
    </ConfirmDialog>
  );
}

function useChangeAdmin() {
  const api = useApi();
  const { uid: selfId } = useSession();
  const leaveRole = useLeaveRole();
  const toast = useToast();
  return async ({ id, displayName, email }: User, admin: boolean): Promise<User> => {
    const user = await api.call('setAdmin', { params: { userid: id }, body: { admin } });
    if (id === selfId && !admin) await leaveRole('/', 'You are no longer an admin');
    else toast(`${displayName || email} is ${admin ? 'now' : 'no longer'} an admin`);
    return user;
  };
}
