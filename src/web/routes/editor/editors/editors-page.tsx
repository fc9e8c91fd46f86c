import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Editor, Invitation, RemovedEditor } from '#contract/schemas/editors.ts';
import { invitationEnd } from '#domain/editor-terms.ts';
import { ROLE_TEXTS, type Role } from '#domain/permissions.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveRole } from '#web/session/use-leave-signed-out.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ItemList } from '#web/ui/layout.tsx';
import { EmptyNote } from '#web/ui/list-parts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { AddEditorDialog, addedSentence, EditorDialog, nameOf, WithdrawDialog } from './editor-dialogs.tsx';
import styles from './editors.module.css';
import { type EditorsData, loadEditors } from './route.ts';

/** An organization's editors and invitations, for its editors and for admins (§2, §6). Others see the editors, who can help. */
export function EditorsPage(props: OrgFrame & EditorsData) {
  const { org } = props;
  const { team, selfId, dialog, open, close, ...calls } = useEditorsPage(props);
  const canManage = useCan(org.id)('editors.manage');
  useFocusAfterRemoval(team);
  return (
    <EditorFrame
      org={org}
      title="Editors"
      lead={canManage ? undefined : 'Only an editor can change roles. To give up yours, choose your own name.'}
      actions={
        canManage && (
          <Button kind="action" onClick={() => open({ kind: 'add' })}>
            <Icon name="plus" /> Add editor
          </Button>
        )
      }
    >
      <EditorList editors={team.editors} selfId={selfId} onOpen={(editor) => open({ kind: 'editor', editor })} />
      {team.invitations.length > 0 && (
        <section aria-labelledby="invitations" className={styles.invitations}>
          <h2 id="invitations">Invited</h2>
          <InvitationList
            invitations={team.invitations}
            onWithdraw={(invitation) => open({ kind: 'invitation', invitation })}
          />
        </section>
      )}
      {team.removed.length > 0 && <RemovedEditors removed={team.removed} onUndo={calls.undo} />}
      {dialog?.kind === 'add' && <AddEditorDialog onAdd={calls.add} onClose={close} />}
      {dialog?.kind === 'editor' && (
        <EditorDialog
          editor={dialog.editor}
          isSelf={dialog.editor.userId === selfId}
          canManage={canManage}
          onChange={(role) => calls.change(dialog.editor, role)}
          onRemove={() => calls.remove(dialog.editor)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'invitation' && (
        <WithdrawDialog
          invitation={dialog.invitation}
          onWithdraw={() => calls.withdraw(dialog.invitation)}
          onClose={close}
        />
      )}
    </EditorFrame>
  );
}

type EditorListProps = { editors: readonly Editor[]; selfId: string; onOpen: (editor: Editor) => void };

function EditorList({ editors, selfId, onOpen }: EditorListProps) {
  if (editors.length === 0) return <EmptyNote>No editors yet. Add the first one.</EmptyNote>;
  return (
    <ItemList className={styles.list}>
      {editors.map((editor) => (
        <li key={editor.userId}>
          <button type="button" className={styles.editor} onClick={() => onOpen(editor)}>
            <span className={styles.icon}>
              <Icon name="person" />
            </span>
            <span className={styles.who}>
              <span className={styles.name}>
                {nameOf(editor)}
                {editor.userId === selfId && <span className={styles.self}> (you)</span>}
              </span>
              <span className={styles.email}>{ROLE_TEXTS[editor.role].label}</span>
              {editor.displayName !== '' && <span className={styles.email}>{editor.email}</span>}
            </span>
            <Icon name="next" />
          </button>
        </li>
      ))}
    </ItemList>
  );
}

type InvitationListProps = { invitations: readonly Invitation[]; onWithdraw: (invitation: Invitation) => void };

function InvitationList({ invitations, onWithdraw }: InvitationListProps) {
  const { dateText } = useDates();
  return (
    <ItemList className={styles.list}>
      {invitations.map((invitation) => (
        <li key={invitation.id} className={styles.invitation}>
          <span className={styles.icon}>
            <Icon name="mail" />
          </span>
          <span className={styles.who}>
            <span className={styles.name}>{invitation.email}</span>
            <span className={styles.email}>
              {ROLE_TEXTS[invitation.role].label}, invited {dateText(invitation.createdTimestamp)}, open until{' '}
              {dateText(invitationEnd(new Date(invitation.createdTimestamp)).toISOString())}
            </span>
          </span>
          <Button kind="outline" onClick={() => onWithdraw(invitation)}>
            Withdraw<VisuallyHidden> the invitation to {invitation.email}</VisuallyHidden>
          </Button>
        </li>
      ))}
    </ItemList>
  );
}

type RemovedEditorsProps = {
  removed: readonly RemovedEditor[];
  onUndo: (editor: RemovedEditor) => Promise<void>;
};

/** People who lost the role of an editor in the last 24 hours. */
function RemovedEditors({ removed, onUndo }: RemovedEditorsProps) {
  const { momentText } = useDates();
  const { busy, problem, run } = useAttempt();
  return (
    <section aria-labelledby="removed" className={styles.invitations}>
      <h2 id="removed">{m.editorsRemoved()}</h2>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <ItemList className={styles.list}>
        {removed.map((editor) => (
          <li key={editor.userId} className={styles.invitation}>
            <span className={styles.icon}>
              <Icon name="person" />
            </span>
            <span className={styles.who}>
              <span className={styles.name}>{nameOf(editor)}</span>
              <span className={styles.email}>{m.editorsUndoUntil({ time: momentText(editor.undoUntil) })}</span>
            </span>
            <Button kind="outline" disabled={busy} onClick={() => void run(() => onUndo(editor))}>
              {m.undo()}
              <VisuallyHidden> {nameOf(editor)}</VisuallyHidden>
            </Button>
          </li>
        ))}
      </ItemList>
    </section>
  );
}

type EditorsDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'editor'; readonly editor: Editor }
  | { readonly kind: 'invitation'; readonly invitation: Invitation };

function useEditorsPage({ org, ...loaded }: OrgFrame & EditorsData) {
  const api = useApi();
  const session = useSessionStore();
  const { uid: selfId } = useSession();
  const toast = useToast();
  const leaveRole = useLeaveRole();
  const [team, setTeam] = useState(loaded.team);
  const [dialog, open] = useState<EditorsDialog>();
  const orgid = org.id;
  const close = () => open(undefined);
  const finish = async (message: string) => {
    // The change itself is done, even if the list cannot be read now.
    const read = await loadEditors(api, orgid).catch(() => undefined);
    if (read) setTeam(read.team);
    close();
    toast(message);
  };

  const add = async (email: string, role: Role) => {
    const added = await api.call('addEditor', { params: { orgid }, body: { email, role } });
    // Admins can add themselves; the new role is in the token's claims.
    if (added.userId === selfId) await session.refreshClaims();
    await finish(addedSentence(added));
  };
  const remove = async (editor: Editor) => {
    const { noun } = ROLE_TEXTS[editor.role];
    await api.call('removeEditor', { params: { orgid, userid: editor.userId } });
    if (editor.userId !== selfId) return finish(`${nameOf(editor)} is no longer ${noun}`);
    await leaveRole(pagePath('home-page', { orgid }), `You are no longer ${noun}`);
  };
  const change = async (editor: Editor, role: Role) => {
    await api.call('changeEditor', { params: { orgid, userid: editor.userId }, body: { role } });
    if (editor.userId === selfId) await session.refreshClaims();
    await finish(`${nameOf(editor)} is now ${ROLE_TEXTS[role].noun}`);
  };
  const undo = async (editor: RemovedEditor) => {
    await api.call('restoreEditor', { params: { orgid, userid: editor.userId } });
    await finish(m.editorsRestored({ name: nameOf(editor) }));
  };
  const withdraw = async ({ id, email }: Invitation) => {
    await api.call('withdrawInvitation', { params: { orgid, invitationid: id } });
    await finish(`Invitation to ${email} withdrawn`);
  };
  return { team, selfId, dialog, open, close, add, change, remove, undo, withdraw };
}
