import { useRef, useState } from 'react';
import { failedSentence } from '#web/api/api-error.ts';
import { useToast } from '#web/ui/toast.tsx';

/**
 * What is done to a row of a list by one press. It may be far down a page, so a failure is told by a toast, with a way
 * to try again.
 */
export function useRowChange() {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  // Two presses can come before the first is drawn as a disabled button.
  const isUnderWay = useRef(false);
  const change = async (again: () => void, action: () => Promise<void>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      toast(failedSentence(error), { label: 'Try again', run: again });
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { busy, change };
}
