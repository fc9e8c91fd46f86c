import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';

type ConfirmDialogProps = {
  title: string;
  children: ReactNode;
  /** The button's label, such as "Delete". */
  confirm: string;
  /** True if the action can't be undone. */
  destructive?: boolean;
  /** False while the dialog's fields are incomplete. */
  ready?: boolean;
  busy: boolean;
  /** Why the last try failed. */
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

/** A confirmation dialog (§2). */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, destructive = false, ready = true, busy, problem, onConfirm, onClose } = props;
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      <Button kind={destructive ? 'danger' : 'dark'} busy={busy} disabled={!ready} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} open onClose={() => !busy && onClose()} footer={footer}>
      {children}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
