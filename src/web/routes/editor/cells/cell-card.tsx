import { useEffect, useRef, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { Comparison } from '../comparison.tsx';
import { useDates } from '../use-dates.ts';
import { CellEditor } from './cell-editor.tsx';
import type { CellEntry } from './cell-labels.ts';
import { CellView } from './cell-view.tsx';
import styles from './cells.module.css';
import { HistoryDialog } from './history-dialog.tsx';
import { type CellEdit, type NewerText, useCellEdit } from './use-cell-edit.ts';

type CellCardProps = {
  orgid: string;
  entry: CellEntry;
  pageTitle: string;
  cell: Cell;
  onChanged: (cell: Cell) => void;
  onUnsaved: (isUnsaved: boolean) => void;
};

/** A cell as visitors see it, or the form that edits it (§2, §4). */
export function CellCard({ orgid, entry, pageTitle, cell, onChanged, onUnsaved }: CellCardProps) {
  const view = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [dialog, setDialog] = useState<'reset' | 'history'>();
  const edit = useCellEdit(orgid, cell, onChanged);
  const { dateText } = useDates();
  const { draft, setAside, isUnsaved } = edit;
  const isEditing = draft !== undefined;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  useFocusOnPencil(card, isEditing);
  const start = (text?: string) => edit.edit(fittingRows(view.current?.offsetHeight ?? 0), text);
  const close = () => setDialog(undefined);
  const ofPage = <VisuallyHidden>{` ${entry.title} of ${pageTitle}`}</VisuallyHidden>;
  return (
    <Card ref={card} aria-label={`${entry.title}, ${pageTitle}`}>
      <header className={styles.head}>
        <div>
          <h3>{entry.title}</h3>
          <p className={styles.place}>
            {entry.place} <span>{savedText(cell, dateText)}</span>
          </p>
        </div>
        {!isEditing && (
          <Cluster gap={2}>
            <Button kind="quiet" onClick={() => setDialog('history')}>
              <Icon name="history" /> History{ofPage}
            </Button>
            <Button kind="outline" data-pencil onClick={() => start()}>
              <Icon name="pencil" /> Edit{ofPage}
            </Button>
          </Cluster>
        )}
      </header>
      {isEditing ? (
        <CellEditor
          {...{ orgid, cell, edit, draft }}
          title={`${entry.title} of ${pageTitle}`}
          onReset={() => setDialog('reset')}
        />
      ) : (
        <div ref={view} className={styles.text}>
          <CellView cell={cell} />
        </div>
      )}
      {!isEditing && setAside !== undefined && (
        <Cluster className={styles.setAside} role="status">
          Your draft is saved here until you leave this page.
          <Button kind="outline" onClick={() => start(setAside)}>
            Resume
          </Button>
          <Button kind="quiet" onClick={edit.discard}>
            Discard
          </Button>
        </Cluster>
      )}
      {draft && edit.newer && <ConflictDialog edit={edit} newer={edit.newer} mine={draft.text} />}
      {dialog === 'history' && <HistoryDialog {...{ orgid, cell, onChanged }} title={entry.title} onClose={close} />}
      {dialog === 'reset' && <ResetDialog edit={edit} onClose={close} />}
    </Card>
  );
}

export function ResetDialog({ edit, onClose }: { edit: CellEdit; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Reset to the default text?"
      confirm="Reset"
      busy={edit.busy}
      problem={edit.problem}
      onConfirm={() => void edit.reset().then((isDone) => isDone && onClose())}
      onClose={onClose}
    >
      <p>Visitors will see the default text right away. The current text is kept in History.</p>
    </ConfirmDialog>
  );
}

/** Both versions, one of which has to be chosen. Neither is lost. */
export function ConflictDialog({ edit, newer, mine }: { edit: CellEdit; newer: NewerText; mine: string }) {
  const { busy, problem, keepWriting } = edit;
  const { momentText } = useDates();
  const { savedBy, savedTimestamp, markdown } = newer;
  const footer = (
    <>
      <Button kind="quiet" disabled={busy} onClick={keepWriting}>
        Back to my text
      </Button>
      <Button kind="outline" disabled={busy} onClick={() => void edit.takeTheirs()}>
        Keep theirs
      </Button>
      <Button busy={busy} onClick={() => void edit.save(markdown)}>
        Save mine
      </Button>
    </>
  );
  return (
    <Dialog
      title="Someone else changed this text"
      open
      wide
      alert
      onClose={() => !busy && keepWriting()}
      footer={footer}
    >
      <p>
        <strong>{savedBy}</strong> saved it on {momentText(savedTimestamp)}, while you were writing. Choose which one to
        publish. The other isn’t lost: theirs is kept in History, yours as a draft on this page.
      </p>
      <div className={styles.comparison}>
        <Comparison before={markdown} after={mine} removed="only in theirs." added="only in yours." />
      </div>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

function savedText({ isDefault, createdTimestamp }: Cell, dateText: (time: string) => string): string {
  if (isDefault) return 'Default text.';
  // The tag is saved with the organization, without a time.
  return createdTimestamp === null ? '' : `Changed on ${dateText(createdTimestamp)}.`;
}

/** Pixels. */
const LINE_HEIGHT = 24;
const [MIN_ROWS, MAX_ROWS] = [4, 28];

/** The rows of a textarea that replaces a text of this height in pixels (§4). */
export function fittingRows(height: number): number {
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round(height / LINE_HEIGHT)));
}

/** Returns the focus to the Edit button when editing ends. */
function useFocusOnPencil(card: { readonly current: HTMLElement | null }, isEditing: boolean): void {
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) card.current?.querySelector<HTMLElement>('[data-pencil]')?.focus();
    wasEditing.current = isEditing;
  }, [card, isEditing]);
}
