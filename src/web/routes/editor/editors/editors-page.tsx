import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Editor, Invitation, RemovedEditor } from '#contract/schemas/editors.ts';
import { invitationExpiry } from '#domain/editor-terms.ts';
import { ROLE_TEXTS, type Role } from '#domain/permissions.ts';
import { useAllowedQuery } from '#web/api/queries.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveRole } from '#web/session/use-leave-signed-out.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import { ItemList } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import {
  AddEditorDialog,
  describeAddedEditor,
  EditorDialog,
  getEditorName,
  WithdrawDialog,
} from './editor-dialogs.tsx';
import styles from './editors.module.css';
import { EmailChoicesForm } from './email-choices-form.tsx';
import { emailChoicesQuery, INVITE_HASH, teamQuery } from './route.ts';

/** An organization's editors and invitations, for its editors and for admins (§2, §6). Other roles see only the editors. */
export function EditorsPage({ org }: OrgPageProps) {
  const api = useApi();
  const can = useCan(org.id);
  const { data: team } = useSuspenseQuery(teamQuery(api, org.id));
  const emailChoices = useAllowedQuery(emailChoicesQuery(api, org.id, can));
  const { uid: selfId } = useSession();
  const canManage = can('editors.manage');
  const { replaceHash } = useNavigator();
  const invites = parseAddress(useAddress()).hash === INVITE_HASH;
  const [dialog, setDialog] = useState<EditorsDialog | undefined>(
    invites && canManage ? { kind: 'add', role: 'editor' } : undefined,
  );
  const close = () => {
    setDialog(undefined);
    if (invites) replaceHash('');
  };
  const changes = useTeamChanges(org.id, close);
  return (
    <EditorArea org={org}>
      <ListPage
        title="Editors"
        subtitle={canManage ? undefined : 'Only an editor can change roles. To give up yours, choose your own name.'}
        actions={
          canManage && (
            <Button kind="action" onClick={() => setDialog({ kind: 'add', role: undefined })}>
              <ExtendedIcon name="plus" /> Add editor
            </Button>
          )
        }
        items={team.editors}
        itemNoun="editors"
        empty="No editors yet. Add the first one."
        below={
          <>
            <Invitations
              invitations={team.invitations}
              onWithdraw={(invitation) => setDialog({ kind: 'invitation', invitation })}
            />
            <RemovedEditors removedEditors={team.removed} onUndo={changes.undo} />
            {emailChoices && <EmailChoicesForm orgId={org.id} choices={emailChoices} can={can} />}
          </>
        }
      >
        {(editors) => (
          <ItemList className={styles.list}>
            {editors.map((editor) => (
              <EditorRow
                key={editor.userId}
                editor={editor}
                isSelf={editor.userId === selfId}
                onOpen={() => setDialog({ kind: 'editor', editor })}
              />
            ))}
          </ItemList>
        )}
      </ListPage>
      {dialog?.kind === 'add' && <AddEditorDialog initialRole={dialog.role} onAdd={changes.add} onClose={close} />}
      {dialog?.kind === 'editor' && (
        <EditorDialog
          editor={dialog.editor}
          isSelf={dialog.editor.userId === selfId}
          canManage={canManage}
          onChange={(role) => changes.changeRole(dialog.editor, role)}
          onRemove={() => changes.remove(dialog.editor)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'invitation' && (
        <WithdrawDialog
          invitation={dialog.invitation}
          onWithdraw={() => changes.withdraw(dialog.invitation)}
          onClose={close}
        />
      )}
    </EditorArea>
  );
}

type EditorRowProps = { editor: Editor; isSelf: boolean; onOpen: () => void };

function EditorRow({ editor, isSelf, onOpen }: EditorRowProps) {
  return (
    <li>
      <button type="button" className={styles.editor} onClick={onOpen}>
        <span className={styles.icon}>
          <ExtendedIcon name="person" />
        </span>
        <span className={styles.who}>
          <span className={styles.name}>
            {getEditorName(editor)}
            {isSelf && <span className={styles.self}> (you)</span>}
          </span>
          <span className={styles.email}>{ROLE_TEXTS[editor.role].label}</span>
          {editor.displayName !== '' && <span className={styles.email}>{editor.email}</span>}
        </span>
        <ExtendedIcon name="next" />
      </button>
    </li>
  );
}

type InvitationsProps = { invitations: readonly Invitation[]; onWithdraw: (invitation: Invitation) => void };

function Invitations({ invitations, onWithdraw }: InvitationsProps) {
  const { formatDate } = useDates();
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="invitations" className={styles.invitations}>
      <h2 id="invitations">Invited</h2>
      <ItemList className={styles.list}>
        {invitations.map((invitation) => (
          <li key={invitation.id} className={styles.invitation}>
            <span className={styles.icon}>
              <ExtendedIcon name="mail" />
            </span>
            <span className={styles.who}>
              <span className={styles.name}>{invitation.email}</span>
              <span className={styles.email}>
                {ROLE_TEXTS[invitation.role].label}, invited {formatDate(invitation.createdTimestamp)}, open until{' '}
                {formatDate(invitationExpiry(new Date(invitation.createdTimestamp)).toISOString())}
              </span>
            </span>
            <Button kind="outline" onClick={() => onWithdraw(invitation)}>
              Withdraw<VisuallyHidden> the invitation to {invitation.email}</VisuallyHidden>
            </Button>
          </li>
        ))}
      </ItemList>
    </section>
  );
}

type RemovedEditorsProps = {
  removedEditors: readonly RemovedEditor[];
  onUndo: (editor: RemovedEditor) => Promise<void>;
};

/** People who lost the editor role in the last 24 hours. */
function RemovedEditors({ removedEditors, onUndo }: RemovedEditorsProps) {
  const { formatDateTime } = useDates();
  const { run, busy, problem } = useAttempt();
  if (removedEditors.length === 0) return null;
  return (
    <section aria-labelledby="removed" className={styles.invitations}>
      <h2 id="removed">No longer editors</h2>
      <Problem>{problem}</Problem>
      <ItemList className={styles.list}>
        {removedEditors.map((editor) => (
          <li key={editor.userId} className={styles.invitation}>
            <span className={styles.icon}>
              <ExtendedIcon name="person" />
            </span>
            <span className={styles.who}>
              <span className={styles.name}>{getEditorName(editor)}</span>
              <span className={styles.email}>You can undo this until {formatDateTime(editor.undoUntil)}.</span>
            </span>
            <Button kind="outline" busy={busy} onClick={() => void run(() => onUndo(editor))}>
              Undo
              <VisuallyHidden> {getEditorName(editor)}</VisuallyHidden>
            </Button>
          </li>
        ))}
      </ItemList>
    </section>
  );
}

type EditorsDialog =
  | { readonly kind: 'add'; readonly role: Role | undefined }
  | { readonly kind: 'editor'; readonly editor: Editor }
  | { readonly kind: 'invitation'; readonly invitation: Invitation };

/** @param onDone closes the dialog that made the change */
function useTeamChanges(orgId: string, onDone: () => void) {
  const api = useApi();
  const session = useSessionStore();
  const { uid: selfId } = useSession();
  const toast = useToast();
  const leaveRole = useLeaveRole();
  const toParams = ({ userId }: Pick<Editor, 'userId'>) => ({ orgid: orgId, userid: userId });
  const finish = (message: string) => {
    onDone();
    toast(message);
  };
  return {
    add: async (email: string, role: Role) => {
      const result = await api.call('addEditor', { params: { orgid: orgId }, body: { email, role } });
      // Admins can add themselves; the new role is in the token's claims.
      if (result.userId === selfId) await session.refreshClaims();
      finish(describeAddedEditor(result));
    },
    remove: async (editor: Editor) => {
      const { roleNoun } = ROLE_TEXTS[editor.role];
      await api.call('removeEditor', { params: toParams(editor) });
      if (editor.userId === selfId)
        await leaveRole(pagePath('home-page', { orgid: orgId }), `You are no longer ${roleNoun}`);
      else finish(`${getEditorName(editor)} is no longer ${roleNoun}`);
    },
    changeRole: async (editor: Editor, role: Role) => {
      await api.call('changeEditor', { params: toParams(editor), body: { role } });
      if (editor.userId === selfId) await session.refreshClaims();
      finish(`${getEditorName(editor)} is now ${ROLE_TEXTS[role].roleNoun}`);
    },
    undo: async (editor: RemovedEditor) => {
      await api.call('restoreEditor', { params: toParams(editor) });
      finish(`${getEditorName(editor)} is an editor again`);
    },
    withdraw: async ({ id, email }: Invitation) => {
      await api.call('withdrawInvitation', { params: { orgid: orgId, invitationid: id } });
      finish(`Invitation to ${email} withdrawn`);
    },
  };
}
