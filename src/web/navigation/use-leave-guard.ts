import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigator } from './use-navigator.ts';

export type LeaveGuard = {
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
