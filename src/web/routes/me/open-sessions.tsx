import { useState } from 'react';
import type { OpenSession } from '#contract/schemas/session.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { formatLocalDateTime } from '#web/ui/local-time.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

type SessionDialog = { readonly kind: 'name' | 'end'; readonly session: OpenSession } | { readonly kind: 'end-others' };

/** The person's sessions, each with buttons to rename or end it. */
export function OpenSessions({ sessions }: { sessions: readonly OpenSession[] }) {
  const { rename, end, endOthers } = useSessionChanges();
  const [dialog, setDialog] = useState<SessionDialog>();
  const close = () => setDialog(undefined);
  return (
    <>
      <ItemList>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onRename={() => setDialog({ kind: 'name', session })}
            onEnd={() => setDialog({ kind: 'end', session })}
          />
        ))}
      </ItemList>
      {sessions.length > 1 && (
        <div className={styles.buttons}>
          <Button kind="outline" onClick={() => setDialog({ kind: 'end-others' })}>
            {m.sessionsEndOthers()}
          </Button>
        </div>
      )}
      {dialog?.kind === 'name' && (
        <SessionNameDialog session={dialog.session} onSave={(name) => rename(dialog.session, name)} onClose={close} />
      )}
      {dialog?.kind === 'end' && (
        <EndDialog title={m.sessionEndTitle()} onEnd={() => end(dialog.session)} onClose={close}>
          {dialog.session.isCurrent ? m.sessionEndHere() : m.sessionEndThere({ name: dialog.session.name })}
        </EndDialog>
      )}
      {dialog?.kind === 'end-others' && (
        <EndDialog title={m.sessionsEndOthersTitle()} onEnd={endOthers} onClose={close}>
          {m.sessionsEndOthersText()}
        </EndDialog>
      )}
    </>
  );
}

function useSessionChanges() {
  const api = useApi();
  const toast = useToast();
  const logOutAndGoTo = useLeaveSignedOut();
  return {
    rename: async ({ id }: OpenSession, name: string) => {
      await api.call('nameSession', { params: { sessionid: id }, body: { name } });
    },
    end: async ({ id, isCurrent }: OpenSession) => {
      if (isCurrent) return logOutAndGoTo('/', m.loggedOut());
      await api.call('endSession', { params: { sessionid: id } });
      toast(m.sessionEnded());
    },
    endOthers: async () => {
      await api.call('signOutElsewhere', {});
      toast(m.sessionsEnded());
    },
  };
}

type SessionRowProps = { session: OpenSession; onRename: () => void; onEnd: () => void };

function SessionRow({ session, onRename, onEnd }: SessionRowProps) {
  const { name, ipAddress, createdTimestamp, lastUsedTimestamp, isCurrent } = session;
  const time = formatLocalDateTime(createdTimestamp);
  const displayName = name || m.browserUnknown();
  return (
    <ItemRow
      title={
        <>
          {displayName} {isCurrent && <StatusMark tone="done">{m.sessionCurrent()}</StatusMark>}
        </>
      }
      facts={
        <>
          {!isCurrent && <div>{m.sessionUsed({ time: formatLocalDateTime(lastUsedTimestamp) })}</div>}
          <div>{ipAddress === null ? m.sessionBegun({ time }) : m.sessionBegunFrom({ time, client: ipAddress })}</div>
        </>
      }
      actions={
        <>
          <Button kind="quiet" onClick={onRename}>
            <RichText text={m.sessionRename({ name: displayName })} tags={{ hidden: renderVisuallyHidden }} />
          </Button>
          <Button kind="outline" onClick={onEnd}>
            <RichText
              text={isCurrent ? m.sessionLogOutHere() : m.sessionLogOut({ name: displayName })}
              tags={{ hidden: renderVisuallyHidden }}
            />
          </Button>
        </>
      }
    />
  );
}

type SessionNameDialogProps = { session: OpenSession; onSave: (name: string) => Promise<void>; onClose: () => void };

function SessionNameDialog({ session, onSave, onClose }: SessionNameDialogProps) {
  const form = useForm({ initial: { name: session.name }, fields: ['name'] });
  const name = form.values.name.trim();
  const save = async () => {
    await onSave(name);
    onClose();
  };
  return (
    <FormDialog
      title={m.sessionName()}
      confirmLabel={m.save()}
      ready={name !== ''}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={m.name()}
        hint={m.sessionNameHint()}
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        {...form.fieldProps('name')}
      />
    </FormDialog>
  );
}

type EndDialogProps = { title: string; children: string; onEnd: () => Promise<void>; onClose: () => void };

function EndDialog({ title, children, onEnd, onClose }: EndDialogProps) {
  const end = async () => {
    await onEnd();
    onClose();
  };
  return (
    <ConfirmDialog title={title} confirmLabel={m.logOut()} onConfirm={end} onClose={onClose}>
      <p>{children}</p>
    </ConfirmDialog>
  );
}
