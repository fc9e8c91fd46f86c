import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import styles from './toast.module.css';

/** How long a toast stays (§9). */
export const TOAST_MILLISECONDS = 3000;

type Shown = { readonly text: string; readonly count: number };

const ToastContext = createContext<(text: string) => void>(() => undefined);

/** A function that shows a short message for 3 seconds (§2). */
export function useToast(): (text: string) => void {
  return useContext(ToastContext);
}

/** Holds the one toast of the page. It stays for as long as somebody points at it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const [held, setHeld] = useState(false);
  // The count makes the same words twice two messages, each with its own three seconds.
  const show = useCallback((text: string) => setShown((before) => ({ text, count: (before?.count ?? 0) + 1 })), []);
  useEffect(() => {
    if (!shown || held) return;
    const timer = setTimeout(() => setShown(undefined), TOAST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [shown, held]);
  return (
    <ToastContext value={show}>
      {children}
      <output className={styles.region}>
        {shown && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing at it only gives more time to read it
          <p
            key={shown.count}
            className={styles.toast}
            onMouseEnter={() => setHeld(true)}
            onMouseLeave={() => setHeld(false)}
          >
            {shown.text}
          </p>
        )}
      </output>
    </ToastContext>
  );
}
