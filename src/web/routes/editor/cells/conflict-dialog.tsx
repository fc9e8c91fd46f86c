import { Button } from '#web/ui/button.tsx';
import { Comparison } from '#web/ui/comparison.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './conflict-dialog.module.css';
import { momentText } from './text-words.ts';
import type { NewerText } from './use-cell-edit.ts';

type ConflictDialogProps = {
  newer: NewerText;
  mine: string;
  busy: boolean;
  problem: string | undefined;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onGoOn: () => void;
};

/** Somebody else was faster: both texts are shown, and one of them is chosen. Neither is lost. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { newer, mine, busy, problem, onKeepMine, onTakeTheirs, onGoOn } = props;
  const { savedBy, savedTimestamp, markdown } = newer;
  const footer = (
    <>
      <Button kind="quiet" disabled={busy} onClick={onGoOn}>
        Back to my text
      </Button>
      <Button kind="outline" disabled={busy} onClick={onTakeTheirs}>
        Let theirs stay
      </Button>
      <Button busy={busy} onClick={onKeepMine}>
        Save mine
      </Button>
    </>
  );
  return (
    <Dialog title="Somebody else changed this text" open wide alert onClose={() => !busy && onGoOn()} footer={footer}>
      <p>
        <strong>{savedBy}</strong> saved it on {momentText(savedTimestamp)}, while you were writing. Choose which one
        stays. The other is not lost: theirs is kept in the history, yours is put aside here.
      </p>
      <div className={styles.comparison}>
        <Comparison before={markdown} after={mine} gone="only in theirs." fresh="only in yours." />
      </div>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
