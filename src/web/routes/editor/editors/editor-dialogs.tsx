import { useState } from 'react';
import type { Editor, Invitation } from '#contract/schemas/editors.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { ROLE_TEXTS, ROLES, type Role } from '#domain/permissions.ts';
import { emailFailure } from '#domain/profile.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Detail, DetailList } from '#web/ui/list-parts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useDates } from '../use-dates.ts';
import styles from './editors.module.css';

type AddEditorDialogProps = {
  /** Undefined to let the person choose, so that no one gets another role by mistake. */
  initialRole: Role | undefined;
  onAdd: (email: string, role: Role) => Promise<void>;
  onClose: () => void;
};

/** Each role with its permissions. */
const ROLE_CHOICES = ROLES.map((role) => ({
  value: role,
  label: ROLE_TEXTS[role].label,
  hint: ROLE_TEXTS[role].description,
}));

/** Asks for the new editor's email and role (§2). */
export function AddEditorDialog({ initialRole, onAdd, onClose }: AddEditorDialogProps) {
  const toast = useToast();
  const form = useForm<{ email: string; role: Role | undefined }, 'email' | 'role'>({
    initial: { email: '', role: initialRole },
    fields: ['email', 'role'],
    validate: ({ email, role }) =>
      problemsByField({ email: findEmailProblem(email), role: role ? undefined : 'Please choose a role.' }),
    // §5 requires a toast; the field shows the problem, too, for screen readers.
    onInvalid: toast,
  });
  const { email, role } = form.values;
  const add = async () => role && onAdd(email.trim(), role);
  return (
    <FormDialog title="Add editor" confirmLabel="Add editor" form={form} onSubmit={add} onClose={onClose}>
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        hint="If they don’t have an account, we’ll email an invitation."
        value={email}
        // Shown only after submitting, together with the toast.
        error={form.errorOf('email', true)}
        onChange={({ currentTarget }) => form.change({ email: currentTarget.value })}
      />
      <ChoiceGroup
        legend="Role"
        options={ROLE_CHOICES}
        value={role}
        error={form.errorOf('role', true)}
        onChange={(newRole) => form.change({ role: newRole })}
      />
    </FormDialog>
  );
}

type EditorDialogProps = {
  editor: Editor;
  isSelf: boolean;
  /**
   * True to let users change or remove the role; otherwise, the dialog only shows details and lets users give up their
   * own role.
   */
  canManage: boolean;
  onChange: (role: Role) => Promise<void>;
  onRemove: () => Promise<void>;
  onClose: () => void;
};

/** Details of a team member, with buttons that change or remove the role (§2). */
export function EditorDialog(props: EditorDialogProps) {
  const { editor, isSelf, canManage, onRemove, onClose } = props;
  const [step, setStep] = useState<'change' | 'delete'>();
  const dates = useDates();
  const { label, description } = ROLE_TEXTS[editor.role];
  if (step === 'delete') {
    return (
      <ConfirmDialog
        title={canManage ? 'Remove from team' : 'Step down'}
        confirmLabel={canManage ? 'Remove' : 'Step down'}
        destructive
        onConfirm={onRemove}
        onClose={onClose}
      >
        <p>
          {isSelf ? 'You' : getEditorName(editor)} will no longer be {ROLE_TEXTS[editor.role].roleNoun} of this site.
        </p>
        {canBeUndone(props) && <p>{UNDO_HINT}</p>}
      </ConfirmDialog>
    );
  }
  const footer = (
    <>
      {(canManage || isSelf) && (
        <Button kind="remove" className={styles.aside} onClick={() => setStep('delete')}>
          <Icon name="trash" /> {canManage ? 'Delete' : 'Step down'}
        </Button>
      )}
      {canManage && (
        <Button kind="outline" onClick={() => setStep('change')}>
          Change role
        </Button>
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <>
      {/* Rendered before the details, so that the top dialog closes first. */}
      {step === 'change' && <ChangeRoleDialog {...props} onClose={() => setStep(undefined)} />}
      <Dialog title={getEditorName(editor)} onClose={onClose} footer={footer}>
        <DetailList>
          <Detail name="Email">{editor.email}</Detail>
          <Detail name="Role">
            {label}
            <small>{description}</small>
          </Detail>
          <Detail name="Since">{dates.formatDate(editor.createdTimestamp)}</Detail>
        </DetailList>
      </Dialog>
    </>
  );
}

/** Asks for a new role, and states whether the change can be undone. */
function ChangeRoleDialog(props: EditorDialogProps) {
  const { editor, onChange, onClose } = props;
  const form = useForm({ initial: { role: editor.role }, fields: [] });
  const { role } = form.values;
  return (
    <FormDialog
      title={`Change role for ${getEditorName(editor)}`}
      confirmLabel="Change role"
      ready={role !== editor.role}
      form={form}
      onSubmit={() => onChange(role)}
      onClose={onClose}
    >
      <ChoiceGroup
        legend="Role"
        options={ROLE_CHOICES}
        value={role}
        onChange={(newRole) => form.change({ role: newRole })}
      />
      {role !== editor.role && canBeUndone(props) && <p className={styles.note}>{UNDO_HINT}</p>}
    </FormDialog>
  );
}

const UNDO_HINT = 'Other editors and admins get an email. They can undo this for 24 hours.';

/** @returns whether this person's removal can be undone (decisions §4) */
function canBeUndone({ editor, isSelf }: EditorDialogProps): boolean {
  return !isSelf && editor.role === 'editor';
}

export function getEditorName({ displayName, email }: Pick<Editor, 'displayName' | 'email'>): string {
  return displayName || email;
}

type WithdrawDialogProps = { invitation: Invitation; onWithdraw: () => Promise<void>; onClose: () => void };

export function WithdrawDialog({ invitation, onWithdraw, onClose }: WithdrawDialogProps) {
  return (
    <ConfirmDialog title="Withdraw the invitation" confirmLabel="Withdraw" onConfirm={onWithdraw} onClose={onClose}>
      <p>The link we emailed to {invitation.email} will stop working.</p>
    </ConfirmDialog>
  );
}

/** Problem with a new editor's email (§5). */
export function findEmailProblem(email: string): string | undefined {
  return emailFailure(email)?.message;
}

export function describeAddedEditor({ invitation, email, role }: ResponseBody<'addEditor'>): string {
  return invitation ? `Invitation sent to ${email}` : `${email} is now ${ROLE_TEXTS[role].roleNoun}`;
}
