import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { User } from '#contract/schemas/users.ts';
import { saveFile } from '#web/api/save-file.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { listed } from '#web/ui/text.ts';
import { DeleteAccountDialog, PasswordDialog } from './account-dialogs.tsx';
import styles from './me.module.css';

type AccountPanelProps = {
  user: User;
  actions: AccountActions;
  /** Shows a short message. */
  tell: (text: string) => void;
};

type Asking = 'password' | 'everywhere' | 'delete';

/** Who is signed in, how, and what can be done about it (decisions §4). */
export function AccountPanel({ user, actions, tell }: AccountPanelProps) {
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const withPassword = hasPassword(user);
  return (
    <div className={styles.accountAccount}>
      <dl className={styles.accountFacts}>
        {user.displayName !== '' && <Fact name="Name">{user.displayName}</Fact>}
        <Fact name="Email">
          <span>{user.email}</span>
          <Verified user={user} onSend={actions.sendVerification} />
        </Fact>
        <Fact name="Ways to sign in">{waysOfSigningIn(user)}</Fact>
      </dl>
      <div className={styles.buttons}>
        <Button kind="outline" onClick={() => setAsking('password')}>
          {withPassword ? 'Change password' : 'Set a password'}
        </Button>
        <Button kind="outline" onClick={() => setAsking('everywhere')}>
          Sign out everywhere
        </Button>
      </div>
      <section className={styles.part} aria-labelledby="my-data">
        <h3 id="my-data">My data</h3>
        <p>Everything that is kept of you, as a file.</p>
        <div className={styles.buttons}>
          <Download onDownload={actions.download} />
          <Button kind="remove" onClick={() => setAsking('delete')}>
            <Icon name="trash" /> Delete my account
          </Button>
        </div>
      </section>
      {asking === 'password' && (
        <PasswordDialog
          hasPassword={withPassword}
          email={user.email}
          onChange={actions.changePassword}
          onDone={() => {
            close();
            tell('Your password is saved');
          }}
          onClose={close}
        />
      )}
      {asking === 'everywhere' && <EverywhereDialog onSignOut={actions.signOutEverywhere} onClose={close} />}
      {asking === 'delete' && <DeleteAccountDialog onDelete={actions.deleteAccount} onClose={close} />}
    </div>
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
            Send the verification mail
          </Button>
        )}
        <output>{sent && 'Check your mail: the link in it verifies your address.'}</output>
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

function EverywhereDialog({ onSignOut, onClose }: { onSignOut: () => Promise<void>; onClose: () => void }) {
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      title="Sign out everywhere"
      confirm="Sign out everywhere"
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onSignOut)}
      onClose={onClose}
    >
      <p>Every browser in which you are signed in is signed out, this one too.</p>
    </ConfirmDialog>
  );
}

/** What somebody can do about the own account. Each one throws what its call is refused with. */
export type AccountActions = {
  /** Mails a link that proves the address. */
  readonly sendVerification: () => Promise<void>;
  /** @param current the password until now, where there is one */
  readonly changePassword: (password: string, current: string | undefined) => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
  readonly download: () => Promise<void>;
  readonly deleteAccount: () => Promise<void>;
};

/** What somebody does about the own account, by its calls, and where it leads. */
export function useAccountActions({ id }: User): AccountActions {
  const api = useApi();
  const session = useSessionStore();
  const navigator = useNavigator();
  const leaveSignedOut = useLeaveSignedOut();
  const params = { userid: id };
  return {
    sendVerification: async () => {
      await api.call('sendVerification', { body: { returnTo: pagePath('user-home-page', {}) } });
    },
    changePassword: async (password, current) => {
      const body = current === undefined ? { password } : { password, current };
      await session.open(await api.call('changePassword', { body }));
      // From now on there is one.
      await navigator.reload();
    },
    signOutEverywhere: async () => {
      await api.call('signOutEverywhere', {});
      await leaveSignedOut('/', 'You are signed out everywhere');
    },
    download: async () => {
      const data = await api.call('downloadUser', { params });
      saveFile('my-giving.json', JSON.stringify(data, undefined, 2), 'application/json');
    },
    deleteAccount: async () => {
      await api.call('deleteUser', { params });
      await leaveSignedOut('/', 'Your account is deleted. Your gifts keep counting.');
    },
  };
}

/** Whether a password is set: one who came by a link or by Google may have none. */
export function hasPassword({ providerData }: Pick<User, 'providerData'>): boolean {
  return providerData.some(({ providerId }) => providerId === 'password');
}

/** "A link by email, a password, and Google": the link works for every address. */
export function waysOfSigningIn({ providerData }: Pick<User, 'providerData'>): string {
  const others = providerData.map(({ providerId }) => (providerId === 'password' ? 'a password' : named(providerId)));
  return listed(['A link by email', ...others]);
}

/** "google" is Google to people. */
function named(providerId: string): string {
  return providerId.charAt(0).toUpperCase() + providerId.slice(1);
}
