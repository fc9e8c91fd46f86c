import { useRef, useState } from 'react';
import { failureMessage } from '#web/api/refusal.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Changes a row of a list, one at a time. The row may be off screen, so a toast reports failures and offers a retry. */
export function useRowChange() {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  // A second click can arrive before React has disabled the button.
  const running = useRef(false);
  const change = async (retry: () => void, action: () => Promise<void>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      toast(failureMessage(error), { label: 'Try again', run: retry });
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, change };
}
