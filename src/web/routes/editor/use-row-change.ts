import { useMutation } from '@tanstack/react-query';
import { failureMessage } from '#web/api/failure-message.ts';
import { useToast } from '#web/ui/toast.tsx';

type RowChange<Change> = {
  /** Toast text, because the row may be off screen. */
  readonly message: string;
  /** The change that restores the row; undefined for an undo. */
  readonly undo: Change | undefined;
};

/** Changes a row of a list. A toast reports the change and offers to undo it, or reports a failure and offers a retry. */
export function useRowChange<Change>(makeChange: (change: Change) => Promise<RowChange<Change>>) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: makeChange,
    onSuccess: ({ message, undo }) => toast(message, undo && { label: 'Undo', run: () => mutate(undo) }),
    onError: (error, change) => toast(failureMessage(error), { label: 'Try again', run: () => mutate(change) }),
  });
  return { changeRow: mutate, isChanging: isPending };
}
