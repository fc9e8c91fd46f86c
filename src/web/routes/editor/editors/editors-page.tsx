import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { AddEditorDialog } from './add-editor-dialog.tsx';
import { EditorDialog } from './editor-dialog.tsx';
import { EditorList, InvitationList } from './editor-list.tsx';
import styles from './editors-page.module.css';
import type { EditorsData } from './route.ts';
import { useEditorsPage } from './use-editors-page.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** Who edits an organisation, for its editors and for admins (§2, §6). */
export function EditorsPage(props: OrgFrame & EditorsData) {
  const { org } = props;
  const { team, selfId, asking, ask, close, add, remove, withdraw } = useEditorsPage(props);
  const toast = useToast();
  useKeptFocus(team);
  return (
    <EditorFrame
      org={org}
      title="Editors"
      actions={
        <Button kind="action" onClick={() => ask({ kind: 'add' })}>
          <Icon name="plus" /> Add editor
        </Button>
      }
    >
      <EditorList editors={team.editors} selfId={selfId} onOpen={(editor) => ask({ kind: 'editor', editor })} />
      {team.invitations.length > 0 && (
        <section aria-labelledby="invitations" className={styles.invitations}>
          <h2 id="invitations">Invited</h2>
          <InvitationList
            invitations={team.invitations}
            onWithdraw={(invitation) => ask({ kind: 'invitation', invitation })}
          />
        </section>
      )}
      {asking?.kind === 'add' && <AddEditorDialog onAdd={add} tell={toast} onClose={close} />}
      {asking?.kind === 'editor' && (
        <EditorDialog
          editor={asking.editor}
          isSelf={asking.editor.userId === selfId}
          onRemove={() => remove(asking.editor)}
          onClose={close}
        />
      )}
      {asking?.kind === 'invitation' && (
        <WithdrawDialog invitation={asking.invitation} onWithdraw={() => withdraw(asking.invitation)} onClose={close} />
      )}
    </EditorFrame>
  );
}
