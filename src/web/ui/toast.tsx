import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import styles from './toast.module.css';

/** §9 */
export const TOAST_MILLISECONDS = 3000;

/** For a toast with a button: three seconds are too short to reach it by keyboard. */
export const OFFERING_MILLISECONDS = 10_000;

/** A toast's button, such as "Undo". */
export type ToastAction = { readonly label: string; readonly run: () => void };

type ShowToast = (text: string, action?: ToastAction) => void;
type Shown = { readonly text: string; readonly action: ToastAction | undefined; readonly count: number };

const ToastContext = createContext<ShowToast>(() => undefined);

/** A function that shows a short message for 3 seconds (§2), or for 10 if it has a button. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Shows one toast at a time, for as long as it is hovered or its button has the focus. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const [held, setHeld] = useState(false);
  // The count makes a repeated message a new one, with its own three seconds.
  const show = useCallback((text: string, action?: ToastAction) => {
    setHeld(false);
    setShown((before) => ({ text, action, count: (before?.count ?? 0) + 1 }));
  }, []);
  useEffect(() => {
    if (!shown || held) return;
    const timer = setTimeout(() => setShown(undefined), shown.action ? OFFERING_MILLISECONDS : TOAST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [shown, held]);
  return (
    <ToastContext value={show}>
      {children}
      <output>
        {shown && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing at it only gives more time to read it
          <p
            key={shown.count}
            ref={showFree}
            popover="manual"
            className={styles.toast}
            onMouseEnter={() => setHeld(true)}
            onMouseLeave={() => setHeld(false)}
            onFocus={() => setHeld(true)}
            onBlur={() => setHeld(false)}
          >
            {shown.text}
            {shown.action && <Offer action={shown.action} onDone={() => setShown(undefined)} />}
          </p>
        )}
      </output>
    </ToastContext>
  );
}

/** Above an open dialog's backdrop. Where it stays matters only once there is one, so the code for that comes then. */
function showFree(toast: HTMLElement | null): void {
  if (!toast) return;
  toast.showPopover?.();
  void import('./toast-place.ts').then(
    ({ keepFree }) => keepFree(toast),
    () => undefined,
  );
}

function Offer({ action, onDone }: { action: ToastAction; onDone: () => void }) {
  const press = () => {
    onDone();
    action.run();
  };
  return (
    <Button kind="outline" className={styles.offer} onClick={press}>
      {action.label}
    </Button>
  );
}
