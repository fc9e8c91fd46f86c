import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useAttempt } from './use-attempt.ts';

type ConfirmDialogProps = {
  title: string;
  children: ReactNode;
  /** The button's label, such as "Delete". */
  confirmLabel: string;
  /** "Cancel" if omitted. */
  cancelLabel?: string;
  /** True if the action can't be undone. */
  destructive?: boolean;
  /** Runs the action, then closes the dialog. If the action throws, the dialog stays open and shows the error. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** A confirmation dialog (§2), which stays open while its action runs. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, cancelLabel = m.cancel() } = props;
  const { destructive = false, onConfirm, onClose } = props;
  const { run, busy, problem } = useAttempt();
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {cancelLabel}
      </Button>
      <Button kind={destructive ? 'danger' : 'dark'} busy={busy} onClick={() => void run(onConfirm)}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => !busy && onClose()} footer={footer}>
      {children}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
