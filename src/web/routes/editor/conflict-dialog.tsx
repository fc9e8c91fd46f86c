import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Comparison } from './comparison.tsx';

type ConflictDialogProps = {
  /** "this text" or "these settings". */
  subject: string;
  /** True if the same person saved the other version, such as in another tab. */
  isOwn: boolean;
  theirText: string;
  ownText: string;
  keepWritingLabel: string;
  takeTheirsLabel: string;
  busy?: boolean;
  problem?: string | undefined;
  onKeepWriting: () => void;
  onTakeTheirs: () => void;
  onSaveMine: () => void;
  /** Explains who changed it and what happens to the other version. */
  children: ReactNode;
};

/** Compares the version that another editor has saved with the editor's own, and asks which one to keep. */
export function ConflictDialog(props: ConflictDialogProps) {
  const {
    subject,
    isOwn,
    theirText,
    ownText,
    keepWritingLabel,
    takeTheirsLabel,
    busy = false,
    problem,
    children,
  } = props;
  const { onKeepWriting, onTakeTheirs, onSaveMine } = props;
  const footer = (
    <>
      <Button kind="quiet" disabled={busy} onClick={onKeepWriting}>
        {keepWritingLabel}
      </Button>
      <Button kind="outline" disabled={busy} onClick={onTakeTheirs}>
        {takeTheirsLabel}
      </Button>
      <Button busy={busy} onClick={onSaveMine}>
        Save mine
      </Button>
    </>
  );
  return (
    <Dialog
      title={isOwn ? `You changed ${subject} in another tab` : `Someone else changed ${subject}`}
      wide
      alert
      onClose={() => !busy && onKeepWriting()}
      footer={footer}
    >
      <Stack>
        <p>{children}</p>
        <div>
          <Comparison
            before={theirText}
            after={ownText}
            removedMeaning={isOwn ? 'only in the saved version.' : 'only in theirs.'}
            addedMeaning={isOwn ? 'only in this tab.' : 'only in yours.'}
          />
        </div>
      </Stack>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
