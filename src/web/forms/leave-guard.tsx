import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type LeaveDialogProps = {
  /** Leaves the page; undefined unless the user is trying to leave. */
  proceed: (() => void) | undefined;
  stay: () => void;
};

export function LeaveDialog({ proceed, stay }: LeaveDialogProps) {
  if (!proceed) return null;
  const closeAndProceed = () => {
    stay();
    proceed();
  };
  const footer = (
    <>
      <Button kind="outline" onClick={closeAndProceed}>
        {m.leave()}
      </Button>
      <Button kind="dark" onClick={stay}>
        {m.leaveStay()}
      </Button>
    </>
  );
  return (
    <Dialog title={m.leaveTitle()} onClose={stay} footer={footer}>
      <p>{m.leaveText()}</p>
    </Dialog>
  );
}

export type LeaveGuard = {
  /** Leaves the page; undefined unless the user is trying to leave. */
  readonly proceed: (() => void) | undefined;
  readonly stay: () => void;
  /** Closes the form; if it has unsaved changes, asks for confirmation first. */
  readonly confirmClose: (close: () => void) => void;
  /** Stops guarding the page. Must be called before navigating away after a save. */
  readonly release: () => void;
};

/** Asks for confirmation before the user leaves a page with unsaved changes. If the tab is closed, the browser asks. */
export function useLeaveGuard(isUnsaved: boolean): LeaveGuard {
  const { guard } = useNavigator();
  const [proceed, setProceed] = useState<() => void>();
  const release = useRef(() => {});
  // A layout effect, so that the browser's prompt and the page's "saved" state change at the same time.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const removeGuard = guard((leavePage) => setProceed(() => leavePage));
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    release.current = () => {
      removeGuard();
      window.removeEventListener('beforeunload', preventUnload);
    };
    return release.current;
  }, [guard, isUnsaved]);
  return {
    proceed,
    stay: useCallback(() => setProceed(undefined), []),
    confirmClose: (close) => {
      const releaseAndClose = () => {
        release.current();
        close();
      };
      if (isUnsaved) setProceed(() => releaseAndClose);
      else close();
    },
    release: useCallback(() => release.current(), []),
  };
}
