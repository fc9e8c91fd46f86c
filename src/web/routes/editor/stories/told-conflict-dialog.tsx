import { Button } from '#web/ui/button.tsx';
import { Comparison } from '#web/ui/comparison.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { NewerStory } from './use-told-edit.ts';

type ToldConflictDialogProps = {
  newer: NewerStory;
  mine: NewerStory;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onGoOn: () => void;
};

/** Somebody else was faster: both texts are shown, and one of them is chosen. */
export function ToldConflictDialog({ newer, mine, onKeepMine, onTakeTheirs, onGoOn }: ToldConflictDialogProps) {
  const footer = (
    <>
      <Button kind="quiet" onClick={onGoOn}>
        Back to my text
      </Button>
      <Button kind="outline" onClick={onTakeTheirs}>
        Take theirs, drop mine
      </Button>
      <Button onClick={onKeepMine}>Save mine</Button>
    </>
  );
  return (
    <Dialog title="Somebody else changed this story" open wide alert onClose={onGoOn} footer={footer}>
      <p>It was saved by another editor while you were writing. Choose which one stays: no earlier one is kept.</p>
      <Comparison before={wholeOf(newer)} after={wholeOf(mine)} gone="only in theirs." fresh="only in yours." />
    </Dialog>
  );
}

/** The name and the story, as one text. */
function wholeOf({ name, story }: NewerStory): string {
  return `${name}\n\n${story}`;
}
