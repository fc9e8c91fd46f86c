import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Comparison } from './comparison.tsx';

type ConflictDialogProps = {
  /** "this text" or "these settings". */
  subject: string;
  /** True if the same user saved the other version, such as in another tab; undefined if unknown. */
  isOwn: boolean | undefined;
  theirText: string;
  ownText: string;
  keepEditingLabel: string;
  takeTheirsLabel: string;
  busy?: boolean;
  problem?: string | undefined;
  onKeepEditing: () => void;
  onTakeTheirs: () => void;
  onOverwrite: () => void;
  /** Explains who made the other change and what happens to the version that isn't kept. */
  children: ReactNode;
};

/** Compares another editor's saved version with the user's own version, and asks which one to keep. */
export function ConflictDialog(props: ConflictDialogProps) {
  const {
    subject,
    isOwn,
    theirText,
    ownText,
    keepEditingLabel,
    takeTheirsLabel,
    busy = false,
    problem,
    children,
  } = props;
  const { onKeepEditing, onTakeTheirs, onOverwrite } = props;
  const footer = (
    <>
      <Button kind="quiet" disabled={busy} onClick={onKeepEditing}>
        {keepEditingLabel}
      </Button>
      <Button kind="outline" disabled={busy} onClick={onTakeTheirs}>
        {takeTheirsLabel}
      </Button>
      <Button busy={busy} onClick={onOverwrite}>
        Save mine
      </Button>
    </>
  );
  return (
    <Dialog title={getTitle(subject, isOwn)} wide alert onClose={() => !busy && onKeepEditing()} footer={footer}>
      <Stack>
        <p>{children}</p>
        <div>
          <Comparison
            before={theirText}
            after={ownText}
            removedMeaning={isOwn === false ? 'only in theirs.' : 'only in the saved version.'}
            addedMeaning={isOwn ? 'only in this tab.' : 'only in yours.'}
          />
        </div>
      </Stack>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

function getTitle(subject: string, isOwn: boolean | undefined): string {
  if (isOwn === undefined) return `A newer version of ${subject} was saved`;
  return isOwn ? `You changed ${subject} in another tab` : `Someone else changed ${subject}`;
}
