import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { User } from '#contract/schemas/users.ts';
import { saveFile } from '#web/api/save-file.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { listed } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { DeleteAccountDialog, PasswordDialog } from './account-dialogs.tsx';
import styles from './me.module.css';
import { OwnActivity } from './own-activity.tsx';

type OpenDialog = 'password' | 'delete';

/** The account of the person who is logged in (decisions §4). */
export function AccountPanel({ user }: { user: User }) {
  const toast = useToast();
  const actions = useAccountActions(user);
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  const withPassword = hasPassword(user);
  return (
    <Card>
      <dl className={styles.accountFacts}>
        {user.displayName !== '' && <Fact name="Name">{user.displayName}</Fact>}
        <Fact name="Email">
          <span>{user.email}</span>
          <Verified user={user} onSend={actions.sendVerification} />
        </Fact>
        <Fact name="Ways to log in">{loginMethods(user)}</Fact>
      </dl>
      <Cluster className={styles.buttons}>
        <Button kind="outline" onClick={() => setOpen('password')}>
          {withPassword ? 'Change password' : 'Set a password'}
        </Button>
      </Cluster>
      <section className={styles.myData} aria-labelledby="my-data">
        <h3 id="my-data">My data</h3>
        <p>Everything we keep about you, in one file.</p>
        <Cluster className={styles.buttons}>
          <Download onDownload={actions.download} />
          <Button kind="remove" onClick={() => setOpen('delete')}>
            <Icon name="trash" /> Delete my account
          </Button>
        </Cluster>
      </section>
      <section className={styles.myData} aria-labelledby="my-activity">
        <h3 id="my-activity">My activity</h3>
        <p>What you did here and what was done with your account, when, and from where.</p>
        <OwnActivity userid={user.id} />
      </section>
      {open === 'password' && (
        <PasswordDialog
          hasPassword={withPassword}
          email={user.email}
          onChange={actions.changePassword}
          onDone={() => {
            close();
            toast('Your password is saved');
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteAccountDialog onDelete={actions.deleteAccount} onClose={close} />}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Verified({ user, onSend }: { user: User; onSend: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  const [sent, setSent] = useState(false);
  const send = async () => setSent(await run(onSend));
  if (user.emailVerified) {
    return (
      <span className={styles.verified}>
        <Icon name="check" size={16} /> Verified
      </span>
    );
  }
  return (
    <>
      <span className={styles.unverified}>Not verified yet</span>
      <span className={styles.verify}>
        {!sent && (
          <Button kind="outline" busy={busy} onClick={() => void send()}>
            Send verification email
          </Button>
        )}
        <output>{sent && 'Check your mail and open the link to verify your email.'}</output>
        <Problem inline>{problem}</Problem>
      </span>
    </>
  );
}

function Download({ onDownload }: { onDownload: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  return (
    <>
      <Button kind="outline" busy={busy} onClick={() => void run(onDownload)}>
        Download my data
      </Button>
      <Problem inline>{problem}</Problem>
    </>
  );
}

/** Each action throws what its call is refused with. */
function useAccountActions({ id }: User) {
  const api = useApi();
  const session = useSessionStore();
  const navigator = useNavigator();
  const leaveSignedOut = useLeaveSignedOut();
  const params = { userid: id };
  return {
    sendVerification: async () => {
      await api.call('sendVerification', { body: { returnTo: pagePath('user-home-page', {}) } });
    },
    changePassword: async (password: string, current: string | undefined) => {
      const body = current === undefined ? { password } : { password, current };
      await session.open(await api.call('changePassword', { body }));
      await navigator.reload();
    },
    download: async () => {
      const data = await api.call('downloadUser', { params });
      saveFile('my-giving.json', JSON.stringify(data, undefined, 2), 'application/json');
    },
    deleteAccount: async () => {
      await api.call('deleteUser', { params });
      await leaveSignedOut('/', 'Your account is deleted. Your gifts still count.');
    },
  };
}

/** People who log in by a link or with Google may have none. */
export function hasPassword({ providerData }: Pick<User, 'providerData'>): boolean {
  return providerData.some(({ providerId }) => providerId === 'password');
}

/** "Email link, password, and Google"; the link works for every address. */
export function loginMethods({ providerData }: Pick<User, 'providerData'>): string {
  return listed(['Email link', ...providerData.map(({ providerId }) => methodLabel(providerId))]);
}

function methodLabel(providerId: string): string {
  return providerId === 'password' ? providerId : providerId.charAt(0).toUpperCase() + providerId.slice(1);
}
