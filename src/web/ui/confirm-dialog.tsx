import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigator } from '#web/navigation/use-navigator.ts';
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

type LeaveDialogProps = {
  /** Goes on to where the visitor wanted to go; nothing while nobody wants to leave. */
  leave: (() => void) | undefined;
  stay: () => void;
};

/** Asks before a page is left on which something is not saved. */
export function LeaveDialog({ leave, stay }: LeaveDialogProps) {
  const footer = (
    <>
      <Button kind="outline" onClick={leave}>
        Leave
      </Button>
      <Button kind="dark" onClick={stay}>
        Stay
      </Button>
    </>
  );
  return (
    <Dialog title="Leave without saving?" open={leave !== undefined} onClose={stay} footer={footer}>
      <p>What you changed on this page is not saved yet.</p>
    </Dialog>
  );
}

type LeaveGuard = {
  /** Goes on to where the visitor wanted to go; nothing while nobody wants to leave. */
  readonly leave: (() => void) | undefined;
  readonly stay: () => void;
  /** Asks no more: to be called before a page that was saved leads on by itself. */
  readonly release: () => void;
};

/** Asks before a page is left on which something is not saved; the browser asks by itself where the tab is closed. */
export function useLeaveGuard(isUnsaved: boolean): LeaveGuard {
  const { guard } = useNavigator();
  const [leave, setLeave] = useState<() => void>();
  const release = useRef(() => {});
  useEffect(() => {
    if (!isUnsaved) return;
    const stopAsking = guard((goOn) => setLeave(() => goOn));
    const close = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', close);
    release.current = () => {
      stopAsking();
      window.removeEventListener('beforeunload', close);
    };
    return release.current;
  }, [guard, isUnsaved]);
  return {
    leave,
    stay: useCallback(() => setLeave(undefined), []),
    release: useCallback(() => release.current(), []),
  };
}
