import { useAttempt } from '#web/api/use-attempt.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

type DeleteStoryDialogProps = {
  /** "awardee" */
  what: string;
  name: string;
  /** What stays, or is better than to delete. */
  note: string;
  onDelete: () => Promise<void>;
  onClose: () => void;
};

/** Asks before a story is deleted for good. */
export function DeleteStoryDialog({ what, name, note, onDelete, onClose }: DeleteStoryDialogProps) {
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      title={`Delete ${what}`}
      confirm="Delete"
      destructive
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onDelete)}
      onClose={onClose}
    >
      <p>
        The story and the photo of {name} are deleted. This cannot be undone. {note}
      </p>
    </ConfirmDialog>
  );
}
