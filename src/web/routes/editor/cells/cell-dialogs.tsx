import type { Cell } from '#contract/schemas/cells.ts';
import type { ApiClient } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import type { CellEdit } from './use-cell-edit.ts';

/** What is asked on top of a text. */
export type Asking = 'reset' | 'history';

type CellDialogsProps = {
  api: ApiClient;
  orgid: string;
  title: string;
  cell: Cell;
  edit: CellEdit;
  asking: Asking | undefined;
  onChanged: (cell: Cell) => void;
  tell: (words: string) => void;
  onClose: () => void;
};

/** The dialogs of a text: its history, its reset, and what to do with somebody else's newer text. */
export function CellDialogs(props: CellDialogsProps) {
  const { api, orgid, title, cell, edit, asking, onChanged, tell, onClose } = props;
  const { draft, newer, busy, problem } = edit;
  if (draft && newer) {
    return (
      <ConflictDialog
        newer={newer}
        mine={draft.text}
        busy={busy}
        problem={problem}
        onKeepMine={() => void edit.save(newer.markdown)}
        onTakeTheirs={() => void edit.takeTheirs()}
        onGoOn={edit.goOn}
      />
    );
  }
  if (asking === 'history') {
    const changed = (now: Cell, words: string | undefined) => {
      onChanged(now);
      if (words !== undefined) tell(words);
    };
    return <HistoryDialog {...{ api, orgid, title, cell, onClose }} onChanged={changed} />;
  }
  if (asking !== 'reset') return null;
  return (
    <ConfirmDialog
      title="Reset to the standard text?"
      confirm="Reset"
      busy={busy}
      problem={problem}
      onConfirm={() => void edit.reset().then((isDone) => isDone && onClose())}
      onClose={onClose}
    >
      <p>Visitors see the standard text at once. The text that stands now is kept in the history.</p>
    </ConfirmDialog>
  );
}
