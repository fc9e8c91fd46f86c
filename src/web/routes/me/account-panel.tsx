import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { User } from '#contract/schemas/users.ts';
import { formatLinkLifetime } from '#domain/email-links.ts';
import { m } from '#messages';
import { saveFile } from '#web/browser/save-file.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { DeleteAccountDialog, EmailDialog, NameDialog, PasswordDialog } from './account-dialogs.tsx';
import styles from './me.module.css';
import { OwnActivity } from './own-activity.tsx';

type AccountDialog = 'name' | 'email' | 'password' | 'delete';

/** The account of the person who is logged in (decisions §4). */
export function AccountPanel({ user }: { user: User }) {
  const toast = useToast();
  const actions = useAccountActions(user);
  const [dialog, setDialog] = useState<AccountDialog>();
  /** The new email address, once a link has been sent to it. */
  const [newEmail, setNewEmail] = useState<string>();
  const close = () => setDialog(undefined);
  const isPasswordSet = hasPassword(user);
  return (
    <Card>
      <dl className={styles.accountFacts}>
        {user.displayName !== '' && <AccountFact name={m.name()}>{user.displayName}</AccountFact>}
        <AccountFact name={m.email()}>
          <span>{user.email}</span>
          <VerificationStatus user={user} onSend={actions.sendVerification} />
        </AccountFact>
        <AccountFact name={m.accountWays()}>{formatLoginMethods(user)}</AccountFact>
      </dl>
      <output>
        {newEmail !== undefined && newEmail !== user.email && (
          <span className={styles.newEmail}>
            <RichText
              text={m.accountEmailSent({ email: newEmail, life: formatLinkLifetime('new-email') })}
              tags={{ strong: (words) => <strong>{words}</strong> }}
            />
          </span>
        )}
      </output>
      <Cluster className={styles.buttons}>
        <Button kind="outline" onClick={() => setDialog('name')}>
          {user.displayName === '' ? m.accountNameAdd() : m.accountNameChange()}
        </Button>
        <Button kind="outline" onClick={() => setDialog('email')}>
          {m.accountEmailChange()}
        </Button>
        <Button kind="outline" onClick={() => setDialog('password')}>
          {isPasswordSet ? m.passwordChange() : m.passwordSet()}
        </Button>
      </Cluster>
      <section className={styles.myData} aria-labelledby="my-data">
        <h2 id="my-data">{m.accountData()}</h2>
        <p>{m.accountDataText()}</p>
        <Cluster className={styles.buttons}>
          <ActionButton kind="outline" action={actions.download}>
            {m.accountDownload()}
          </ActionButton>
          <Button kind="remove" onClick={() => setDialog('delete')}>
            <Icon name="trash" /> {m.accountDelete()}
          </Button>
        </Cluster>
      </section>
      <section className={styles.myData} aria-labelledby="my-activity">
        <h2 id="my-activity">{m.accountActivity()}</h2>
        <p>{m.accountActivityText()}</p>
        <OwnActivity userId={user.id} />
      </section>
      {dialog === 'name' && (
        <NameDialog
          name={user.displayName}
          onChange={async (name) => {
            await actions.changeName(name);
            close();
            toast(m.accountNameSaved());
          }}
          onClose={close}
        />
      )}
      {dialog === 'email' && (
        <EmailDialog
          email={user.email}
          onSend={async (email) => {
            await actions.requestEmailChange(email);
            close();
            setNewEmail(email.toLowerCase());
          }}
          onClose={close}
        />
      )}
      {dialog === 'password' && (
        <PasswordDialog
          hasPassword={isPasswordSet}
          email={user.email}
          onChange={async (password, currentPassword) => {
            await actions.changePassword(password, currentPassword);
            close();
            toast(m.passwordSaved());
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && <DeleteAccountDialog onDelete={actions.deleteAccount} onClose={close} />}
    </Card>
  );
}

function AccountFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function VerificationStatus({ user, onSend }: { user: User; onSend: () => Promise<void> }) {
  const { run, busy, problem } = useAttempt();
  const [isSent, setIsSent] = useState(false);
  const send = async () => {
    await onSend();
    setIsSent(true);
  };
  if (user.emailVerified) {
    return (
      <span className={styles.verified}>
        <Icon name="check" size={16} /> {m.accountVerified()}
      </span>
    );
  }
  return (
    <>
      <span className={styles.unverified}>{m.accountUnverified()}</span>
      <span className={styles.verify}>
        {!isSent && (
          <Button kind="outline" busy={busy} onClick={() => void run(send)}>
            {m.accountVerify()}
          </Button>
        )}
        <output>{isSent && m.accountVerifySent()}</output>
        <Problem inline>{problem}</Problem>
      </span>
    </>
  );
}

/** Each action throws the API's error. */
function useAccountActions({ id }: User) {
  const api = useApi();
  const session = useSessionStore();
  const client = useQueryClient();
  const logOutAndGoTo = useLeaveSignedOut();
  const params = { userid: id };
  return {
    sendVerification: async () => {
      await api.call('sendVerification', { body: { returnTo: pagePath('account-page', {}) } });
    },
    changeName: async (name: string) => {
      await api.call('changeName', { body: { name } });
    },
    requestEmailChange: async (email: string) => {
      await api.call('requestEmailChange', { body: { email } });
    },
    changePassword: async (password: string, currentPassword: string | undefined) => {
      const body = currentPassword === undefined ? { password } : { password, current: currentPassword };
      await session.open(await api.call('changePassword', { body }));
      await client.invalidateQueries();
    },
    download: async () => {
      const data = await api.call('downloadUser', { params });
      saveFile('my-giving.json', JSON.stringify(data, undefined, 2), 'application/json');
    },
    deleteAccount: async () => {
      await api.call('deleteUser', { params });
      await logOutAndGoTo('/', m.accountDeleted());
    },
  };
}

/** People who log in with a link or Google may have no password. */
export function hasPassword({ providerData }: Pick<User, 'providerData'>): boolean {
  return providerData.some(({ providerId }) => providerId === 'password');
}

/** "Email link, password, and Google". An email link works for every account. */
export function formatLoginMethods({ providerData }: Pick<User, 'providerData'>): string {
  return formatList([m.loginByLink(), ...providerData.map(({ providerId }) => getMethodLabel(providerId))]);
}

function getMethodLabel(providerId: string): string {
  return providerId === 'password' ? m.fieldPassword() : providerId.charAt(0).toUpperCase() + providerId.slice(1);
}
