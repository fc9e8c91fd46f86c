import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { getTopDialog, subscribeToDialogs } from '#web/navigation/dialog-stack.ts';
import { Button } from './button.tsx';
import styles from './toast.module.css';

/** Duration of a toast (§9). */
export const TOAST_MILLISECONDS = 3000;

/** Duration of a toast with a button: three seconds are too short to reach it by keyboard. */
export const ACTION_TOAST_MILLISECONDS = 10_000;

/** A toast's button, such as "Undo". */
export type ToastAction = { readonly label: string; readonly run: () => void };

type ShowToast = (text: string, action?: ToastAction) => void;
type Message = { readonly text: string; readonly action: ToastAction | undefined; readonly count: number };

const ToastContext = createContext<ShowToast>(() => undefined);

/** @returns a function that shows a short message for 3 seconds (§2), or for 10 if it has a button */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Shows one toast at a time: in the top dialog, because everything outside it is inert, or else on the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState<Message>();
  const show = useCallback(
    (text: string, action?: ToastAction) =>
      setMessage((previous) => ({ text, action, count: (previous?.count ?? 0) + 1 })),
    [],
  );
  const dialogRegion = useSyncExternalStore(subscribeToDialogs, getTopDialog, () => undefined)?.toastRegion;
  // The key changes even if the message repeats, so a repeated toast is announced and timed again.
  const toast = message && <Toast key={message.count} message={message} onDone={() => setMessage(undefined)} />;
  return (
    <ToastContext value={show}>
      {children}
      <div role="status">{!dialogRegion && toast}</div>
      {dialogRegion && createPortal(toast, dialogRegion)}
    </ToastContext>
  );
}

type ToastProps = { message: Message; onDone: () => void };

/** A toast. Hovering over it or focusing its button pauses its timer. */
function Toast({ message: { text, action }, onDone }: ToastProps) {
  const [isPaused, setIsPaused] = useState(false);
  const endToast = useEffectEvent(onDone);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => endToast(), action ? ACTION_TOAST_MILLISECONDS : TOAST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [action, isPaused]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering only gives more time to read the toast
    <p
      ref={showToast}
      popover="manual"
      className={styles.toast}
      onMouseEnter={() => setIsPaused(true)}
      onMouseLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
    >
      {text}
      {action && <ToastButton action={action} onDone={onDone} />}
    </p>
  );
}

/**
 * Shows the toast above an open dialog's backdrop. Its button comes right after the focused element in the focus order,
 * so that it can be reached by keyboard in time. The code that positions it is loaded with the first toast.
 */
function showToast(toast: HTMLElement | null): void {
  // If its dialog just closed, the toast is disconnected; React renders it again on the page.
  if (!toast?.isConnected) return;
  const { activeElement } = document;
  toast.showPopover?.(activeElement instanceof HTMLElement ? { source: activeElement } : undefined);
  void import('./toast-position.ts').then(
    ({ avoidControls }) => avoidControls(toast),
    () => undefined,
  );
}

/** The toast's button. Clicking it returns focus to the previously focused element. */
function ToastButton({ action, onDone }: { action: ToastAction; onDone: () => void }) {
  const previousFocus = useRef<EventTarget>(null);
  const handleClick = () => {
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus({ preventScroll: true });
    onDone();
    action.run();
  };
  return (
    <Button
      kind="outline"
      className={styles.action}
      onFocus={({ relatedTarget }) => {
        previousFocus.current = relatedTarget;
      }}
      onClick={handleClick}
    >
      {action.label}
    </Button>
  );
}
