import { type ReactNode, useState } from 'react';
import type { User } from '#contract/schemas/users.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './account.module.css';
import type { AccountActions } from './account-actions.ts';
import { hasPassword, waysOfSigningIn } from './account-words.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';

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
    <div className={styles.account}>
      <dl className={styles.facts}>
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
