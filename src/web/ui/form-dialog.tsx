import { type ReactNode, type SubmitEvent, useId } from 'react';
import { m } from '#messages';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Stack } from './layout.tsx';
import { Problem } from './problem.tsx';

type FormDialogProps = {
  title: string;
  /** The fields, and any text around them. */
  children: ReactNode;
  /** The button's label, such as "Send". */
  confirm: string;
  /** Whether it can't be undone. */
  destructive?: boolean;
  /** Whether it may be sent yet. */
  ready?: boolean;
  busy: boolean;
  /** Why the last try failed, if no field says so. */
  problem?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
};

/** A dialog with a form, which stays open while it is being sent. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, confirm, destructive = false, ready = true, busy, problem, onSubmit, onClose } = props;
  const formId = useId();
  const submitted = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      <Button kind={destructive ? 'danger' : 'dark'} type="submit" form={formId} busy={busy} disabled={!ready}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submitted} noValidate>
        <Stack>
          {children}
          <Problem>{problem}</Problem>
        </Stack>
      </form>
    </Dialog>
  );
}
