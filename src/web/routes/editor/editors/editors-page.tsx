import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Editor, Invitation } from '#contract/schemas/editors.ts';
import { invitationEnd } from '#domain/invitations.ts';
import { ROLE_TEXTS, type Role } from '#domain/permissions.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveRole } from '#web/session/use-leave-signed-out.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ItemList } from '#web/ui/layout.tsx';
import { EmptyNote } from '#web/ui/list-parts.tsx';
import { momentText } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { AddEditorDialog, addedSentence, EditorDialog, WithdrawDialog } from './editor-dialogs.tsx';
import styles from './editors.module.css';
import { type EditorsData, loadEditors } from './route.ts';

/** An organization's editors and invitations, for its editors and for admins (§2, §6). Others see the editors, who can help. */
export function EditorsPage(props: OrgFrame & EditorsData) {
  const { org } = props;
  const { team, selfId, isAdmin, dialog, open, close, ...calls } = useEditorsPage(props);
  const canManage = useCan(org.id)('editors.manage');
  useKeptFocus(team);
  return (
    <EditorFrame
      org={org}
      title="Editors"
      lead={canManage ? undefined : 'Only an editor can change roles. To give yours up, choose your own name.'}
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
      {dialog?.kind === 'add' && <AddEditorDialog onAdd={calls.add} onClose={close} />}
      {dialog?.kind === 'editor' && (
        <EditorDialog
          editor={dialog.editor}
          isSelf={dialog.editor.userId === selfId}
          isAdmin={isAdmin}
          canManage={canManage}
          onChange={(role) => calls.change(dialog.editor, role)}
          onRemove={() => calls.remove(dialog.editor)}
          onKeep={() => calls.keep(dialog.editor)}
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
  const dates = useDates();
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
                {editor.displayName || editor.email}
                {editor.userId === selfId && <span className={styles.self}> (you)</span>}
              </span>
              <span className={styles.email}>{ROLE_TEXTS[editor.role].label}</span>
              {editor.displayName !== '' && <span className={styles.email}>{editor.email}</span>}
              {editor.leavesTimestamp !== null && (
                <span className={styles.email}>
                  {editor.becomes
                    ? `Demoted, and has the role “${ROLE_TEXTS[editor.becomes].label}” from `
                    : 'Removed, and leaves on '}
                  {dates.momentText(editor.leavesTimestamp)}
                </span>
              )}
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

type EditorsDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'editor'; readonly editor: Editor }
  | { readonly kind: 'invitation'; readonly invitation: Invitation };

function useEditorsPage({ org, ...loaded }: OrgFrame & EditorsData) {
  const api = useApi();
  const session = useSessionStore();
  const { uid: selfId, admin: isAdmin } = useSession();
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
  const remove = async ({ userId, displayName, email, role }: Editor) => {
    const { noun } = ROLE_TEXTS[role];
    const { leavesTimestamp } = await api.call('removeEditor', { params: { orgid, userid: userId } });
    const name = displayName || email;
    if (leavesTimestamp !== null)
      return finish(`${name} is ${noun} until ${momentText(leavesTimestamp, org.timeZone)}`);
    if (userId !== selfId) return finish(`${name} is no longer ${noun}`);
    await leaveRole(pagePath('home-page', { orgid }), `You are no longer ${noun}`);
  };
  const change = async ({ userId, displayName, email }: Editor, role: Role) => {
    const { leavesTimestamp } = await api.call('changeEditor', { params: { orgid, userid: userId }, body: { role } });
    if (userId === selfId) await session.refreshClaims();
    const [name, { noun }] = [displayName || email, ROLE_TEXTS[role]];
    if (leavesTimestamp === null) return finish(`${name} is now ${noun}`);
    await finish(`${name} is an editor until ${momentText(leavesTimestamp, org.timeZone)}, and then ${noun}`);
  };
  const keep = async ({ userId, displayName, email, role }: Editor) => {
    await api.call('keepEditor', { params: { orgid, userid: userId } });
    await finish(`${displayName || email} stays ${ROLE_TEXTS[role].noun}`);
  };
  const withdraw = async ({ id, email }: Invitation) => {
    await api.call('withdrawInvitation', { params: { orgid, invitationid: id } });
    await finish(`The invitation to ${email} is withdrawn`);
  };
  return { team, selfId, isAdmin, dialog, open, close, add, change, remove, keep, withdraw };
}
