import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

type ConfirmDialogProps = {
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** What the button says that does it: "Delete". */
  confirm: string;
  /** Whether it takes something away that does not come back. */
  destructive?: boolean;
  /** Whether it may be done, where more than a press is asked for. */
  ready?: boolean;
  /** While it is being done. */
  busy: boolean;
  /** What went wrong the last time. */
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

/** A question before something is done that matters (§2: confirmation dialogs). */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, destructive = false, ready = true, busy, problem, onConfirm, onClose } = props;
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
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
