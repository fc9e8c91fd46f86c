import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { ListedUser, User } from '#contract/schemas/users.ts';
import { ROLE_TEXTS } from '#domain/permissions.ts';
import { REMOVAL_OBJECTION_HOURS } from '#domain/second-factor.ts';
import { useList } from '#web/api/use-list.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useLeaveRole } from '#web/session/use-leave-signed-out.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList, ItemRow, Stack } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { formatLocalDateTime } from '#web/ui/local-time.ts';
import { Page } from '#web/ui/page.tsx';
import { pluralize } from '#web/ui/pluralize.ts';
import { SearchForm } from '#web/ui/search-form.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { type UsersData, usersQuery, usersUrl } from './route.ts';
import styles from './users.module.css';

/** Everyone with an account. Admins can search for users and make them admins (decisions §4). */
export function UsersPage({ query }: UsersData) {
  useEnglishOnly();
  const { uid: selfId } = useSession();
  const list = useList(usersQuery(useApi(), query));
  const [dialog, setDialog] = useState<UsersDialog>();
  const close = () => setDialog(undefined);
  const changeAdmin = useChangeAdmin();
  const removeSecondStep = useRemoveSecondStep();
  return (
    <Page>
      <ListPage
        {...list}
        title="Users"
        subtitle={<Link to={pagePath('admin-page', {})}>Back to Admin</Link>}
        above={
          <>
            <UserSearch query={query} />
            <output className={styles.found}>{formatResultCount(list.items.length, query, list.hasMore)}</output>
          </>
        }
        itemNoun="users"
        empty={query === '' ? 'No users yet.' : `No user matches “${query}”.`}
      >
        {(users) => (
          <ItemList>
            {users.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                isSelf={user.id === selfId}
                onChangeAdmin={() => setDialog({ user, change: 'admin' })}
                onRemoveSecondStep={() => setDialog({ user, change: 'second-step' })}
              />
            ))}
          </ItemList>
        )}
      </ListPage>
      {dialog?.change === 'admin' && (
        <AdminDialog
          user={dialog.user}
          isSelf={dialog.user.id === selfId}
          onChange={async (admin) => {
            await changeAdmin(dialog.user, admin);
            close();
          }}
          onClose={close}
        />
      )}
      {dialog?.change === 'second-step' && (
        <SecondStepDialog
          user={dialog.user}
          onRemove={async () => {
            await removeSecondStep(dialog.user);
            close();
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

type UsersDialog = { readonly user: User; readonly change: 'admin' | 'second-step' };

function UserSearch({ query }: UsersData) {
  const { go } = useNavigator();
  const [text, setText] = useStateFrom(query);
  const search = () => void go(usersUrl(text.trim()), { keepScroll: true });
  return (
    <SearchForm className={styles.search} onSearch={search}>
      <TextField
        label="Name or email"
        type="search"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">
        <Icon name="search" /> Search
      </Button>
    </SearchForm>
  );
}

function formatResultCount(count: number, query: string, hasMore: boolean): string {
  const users = pluralize(count, 'user');
  return `${hasMore ? 'The first ' : ''}${users}${query === '' ? '' : ` for “${query}”`}`;
}

type UserRowProps = { user: ListedUser; isSelf: boolean; onChangeAdmin: () => void; onRemoveSecondStep: () => void };

function UserRow({ user, isSelf, onChangeAdmin, onRemoveSecondStep }: UserRowProps) {
  const {
    displayName,
    email,
    emailVerified,
    admin,
    secondFactors,
    secondFactorRemovalTimestamp: removalTimestamp,
  } = user;
  const name = displayName || email;
  // People remove their own second step on their account page.
  const isRemovable = !isSelf && secondFactors.length > 0;
  return (
    <ItemRow
      title={
        <>
          {name}
          {isSelf && <span className={styles.self}> (you)</span>}
        </>
      }
      facts={
        <>
          {displayName !== '' && <div>{email}</div>}
          {user.roles.map(({ orgid, orgName, role }) => (
            <div key={orgid}>
              {ROLE_TEXTS[role].label} at <Link to={pagePath('editors-page', { orgid })}>{orgName}</Link>
            </div>
          ))}
          {removalTimestamp !== null && <div>Second step will be removed {formatLocalDateTime(removalTimestamp)}</div>}
        </>
      }
      actions={
        <>
          <Cluster gap={1}>
            <span className={emailVerified ? styles.mark : styles.warning}>
              {emailVerified ? 'Verified' : 'Not verified'}
            </span>
            {admin && <span className={styles.admin}>Admin</span>}
          </Cluster>
          {isRemovable && removalTimestamp === null && (
            <Button kind="outline" className={styles.button} onClick={onRemoveSecondStep}>
              Remove second step
              <VisuallyHidden>: {name}</VisuallyHidden>
            </Button>
          )}
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
  const { admin, emailVerified } = user;
  const name = formatNameWithEmail(user);
  const action = admin ? 'Revoke admin' : 'Make admin';
  return (
    <ConfirmDialog
      title={action}
      confirmLabel={action}
      destructive={admin}
      onConfirm={() => onChange(!admin)}
      onClose={onClose}
    >
      {admin ? (
        <p>{isSelf ? 'You' : name} will no longer be able to manage users and organizations.</p>
      ) : (
        <p>
          {name} will be able to create organizations, delete offsetters, and make other users admins.
          {!emailVerified && ' This takes effect once they verify their email.'}
        </p>
      )}
    </ConfirmDialog>
  );
}

type SecondStepDialogProps = { user: User; onRemove: () => Promise<void>; onClose: () => void };

function SecondStepDialog({ user, onRemove, onClose }: SecondStepDialogProps) {
  return (
    <ConfirmDialog
      title="Remove second step"
      confirmLabel="Remove second step"
      destructive
      onConfirm={onRemove}
      onClose={onClose}
    >
      <Stack>
        <p>Do this only if you’re sure that {formatNameWithEmail(user)} asked you to, by phone or in person.</p>
        <p>
          We’ll email them now. After {REMOVAL_OBJECTION_HOURS} hours, they can log in without a second step, unless
          they use it before then.
        </p>
      </Stack>
    </ConfirmDialog>
  );
}

function formatNameWithEmail({ displayName, email }: User): string {
  return displayName === '' ? email : `${displayName} (${email})`;
}

function useRemoveSecondStep() {
  const api = useApi();
  const toast = useToast();
  return async ({ id, displayName, email }: User) => {
    await api.call('removeSecondFactors', { params: { userid: id } });
    toast(`We emailed ${displayName || email}`);
  };
}

function useChangeAdmin() {
  const api = useApi();
  const { uid: selfId } = useSession();
  const leaveRole = useLeaveRole();
  const toast = useToast();
  return async ({ id, displayName, email }: User, admin: boolean) => {
    await api.call('setAdmin', { params: { userid: id }, body: { admin } });
    if (id === selfId && !admin) await leaveRole('/', 'You are no longer an admin');
    else toast(`${displayName || email} is ${admin ? 'now' : 'no longer'} an admin`);
  };
}
