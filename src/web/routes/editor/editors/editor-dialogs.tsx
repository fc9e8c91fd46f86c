import { useState } from 'react';
import type { Editor, Invitation } from '#contract/schemas/editors.ts';
import type { Answer } from '#contract/schemas.ts';
import { sentenceOf } from '#domain/failures.ts';
import { ROLE_TEXTS, ROLES, type Role } from '#domain/permissions.ts';
import { isEmail } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useDates } from '../use-dates.ts';
import styles from './editors.module.css';

type AddEditorDialogProps = { onAdd: (email: string, role: Role) => Promise<void>; onClose: () => void };

/** With a single role there is nothing to choose or to tell apart. */
export const hasSeveralRoles = ROLES.length > 1;

/** Asks for the new editor's email and, if there are several, the role (§2). */
export function AddEditorDialog({ onAdd, onClose }: AddEditorDialogProps) {
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [invalid, setInvalid] = useState<string>();
  const { busy, problem, run, clear } = useAttempt();
  const submit = () => {
    const found = emailProblem(email);
    setInvalid(found);
    // §5 asks for a toast; the field shows it too, for screen readers.
    if (found === undefined) void run(() => onAdd(email.trim(), role));
    else toast(found);
  };
  return (
    <FormDialog title="Add editor" confirm="Add editor" busy={busy} onSubmit={submit} onClose={onClose}>
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        hint="If they have no account, we’ll email an invitation."
        value={email}
        error={problem ?? invalid}
        onChange={({ currentTarget }) => {
          setEmail(currentTarget.value);
          setInvalid(undefined);
          clear();
        }}
      />
      {hasSeveralRoles && (
        <ChoiceGroup
          legend="Role"
          layout="row"
          options={ROLES.map((each) => ({ value: each, label: ROLE_TEXTS[each].label }))}
          value={role}
          onChange={setRole}
        />
      )}
      <p className={styles.note}>{ROLE_TEXTS[role].description}</p>
    </FormDialog>
  );
}

type EditorDialogProps = {
  editor: Editor;
  isSelf: boolean;
  /** Whom an admin removes leaves at once. */
  isAdmin: boolean;
  onRemove: () => Promise<void>;
  onKeep: () => Promise<void>;
  onClose: () => void;
};

/** An editor's details, and a button that removes the editor after a confirmation (§2), or objects to a removal. */
export function EditorDialog(props: EditorDialogProps) {
  const { editor, isSelf, isAdmin, onRemove, onKeep, onClose } = props;
  const [deleting, setDeleting] = useState(false);
  const { busy, problem, run } = useAttempt();
  const { dateText, momentText } = useDates();
  const name = editor.displayName || editor.email;
  const { label, noun } = ROLE_TEXTS[editor.role];
  if (deleting) {
    return (
      <ConfirmDialog
        title={`Delete ${label.toLowerCase()}`}
        confirm="Delete"
        destructive
        busy={busy}
        problem={problem}
        onConfirm={() => void run(onRemove)}
        onClose={onClose}
      >
        {isSelf || isAdmin || editor.role !== 'editor' ? (
          <p>
            {isSelf ? 'You' : name} will no longer be {noun} of this site.
          </p>
        ) : (
          <p>
            {name} stays {noun} for one more day. All editors get an email, and each of them can object. An admin can
            remove someone at once.
          </p>
        )}
      </ConfirmDialog>
    );
  }
  const footer = (
    <>
      {(editor.leavesTimestamp === null || isAdmin) && (
        <Button kind="remove" className={styles.aside} onClick={() => setDeleting(true)}>
          <Icon name="trash" /> Delete
        </Button>
      )}
      {editor.leavesTimestamp !== null && (
        <Button kind="action" disabled={busy} onClick={() => void run(onKeep)}>
          Object
        </Button>
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={name} open onClose={onClose} footer={footer}>
      <Facts>
        <Fact name="Email">{editor.email}</Fact>
        <Fact name="Role">{label}</Fact>
        <Fact name="Since">{dateText(editor.createdTimestamp)}</Fact>
        {editor.leavesTimestamp !== null && <Fact name="Leaves">{momentText(editor.leavesTimestamp)}</Fact>}
      </Facts>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </Dialog>
  );
}

type WithdrawDialogProps = { invitation: Invitation; onWithdraw: () => Promise<void>; onClose: () => void };

export function WithdrawDialog({ invitation, onWithdraw, onClose }: WithdrawDialogProps) {
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      title="Withdraw the invitation"
      confirm="Withdraw"
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onWithdraw)}
      onClose={onClose}
    >
      <p>The link we emailed to {invitation.email} will stop working.</p>
    </ConfirmDialog>
  );
}

/** Why an editor cannot be added with this email (§5). */
export function emailProblem(email: string): string | undefined {
  const typed = email.trim();
  if (typed === '') return sentenceOf('no-email');
  return isEmail(typed) ? undefined : sentenceOf('invalid-email', { email: typed });
}

export function addedSentence({ invitation, displayName, email, role }: Answer<'addEditor'>): string {
  if (invitation) return `Invitation sent to ${email}`;
  return `${displayName || email} is now ${ROLE_TEXTS[role].noun}`;
}
