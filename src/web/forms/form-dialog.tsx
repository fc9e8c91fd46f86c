import { type ReactNode, useId } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Form } from './form.tsx';
import type { FormError } from './form-errors.ts';
import { LeaveDialog, useLeaveGuard } from './leave-guard.tsx';
import type { Action } from './use-attempt.ts';

/** The result of useForm, or of another hook that sends the form. */
export type SubmittableForm = {
  readonly busy: boolean;
  readonly error: FormError | undefined;
  /** Error of the last attempt, unless a field shows it. */
  readonly problem: string | undefined;
  /** True to ask for confirmation before closing the dialog, or leaving the page, discards the input. */
  readonly isUnsaved?: boolean;
  readonly submit: (send: Action<unknown>) => Promise<unknown>;
};

/** A second way to submit a form, such as to save it and continue with the next one. */
type SecondaryAction = { readonly label: string; readonly onSubmit: Action<unknown> };

type FormDialogProps = {
  title: string;
  /** The fields, and any text around them. */
  children: ReactNode;
  /** The button's label, such as "Send". */
  confirmLabel: string;
  /** True if the action can't be undone. */
  destructive?: boolean;
  /** False while the form is incomplete. */
  ready?: boolean;
  form: SubmittableForm;
  /** Sends the valid form, then closes the dialog. If sending fails, the dialog stays open and shows the error. */
  onSubmit: Action<unknown>;
  secondaryAction?: SecondaryAction;
  onClose: () => void;
};

/** A dialog with a form. While the form is being sent, the dialog stays open and its fields are disabled. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, confirmLabel, destructive = false, ready = true, form, onSubmit, secondaryAction } = props;
  const { busy, error, problem, isUnsaved = false, submit } = form;
  // While the form is being sent, its action may open another page.
  const { proceed, stay, confirmClose } = useLeaveGuard(isUnsaved && !busy);
  const onClose = () => confirmClose(props.onClose);
  const formId = useId();
  const submitIfReady = () => {
    if (ready) void submit(onSubmit);
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      {secondaryAction && (
        <Button kind="outline" busy={busy} disabled={!ready} onClick={() => void submit(secondaryAction.onSubmit)}>
          {secondaryAction.label}
        </Button>
      )}
      <Button kind={destructive ? 'danger' : 'dark'} type="submit" form={formId} busy={busy} disabled={!ready}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => !busy && onClose()} footer={footer}>
      <Form id={formId} error={error} focusesFirstField onSubmit={submitIfReady}>
        <Stack>
          <fieldset disabled={busy}>
            <Stack>{children}</Stack>
          </fieldset>
          <Problem>{problem}</Problem>
        </Stack>
      </Form>
      <LeaveDialog proceed={proceed} stay={stay} />
    </Dialog>
  );
}
