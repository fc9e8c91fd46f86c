import { useEffect, useRef, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './cell-card.module.css';
import { type Asking, CellDialogs } from './cell-dialogs.tsx';
import { CellEditor, type ShowText } from './cell-editor.tsx';
import { fittingRows } from './fitting-rows.ts';
import type { TextEntry } from './text-words.ts';
import { useCellEdit } from './use-cell-edit.ts';

type CellCardProps = {
  api: ApiClient;
  orgid: string;
  entry: TextEntry;
  /** The page that the text is on, as people call it. */
  pageTitle: string;
  cell: Cell;
  show: ShowText;
  onChanged: (cell: Cell) => void;
  /** Told whether there is something typed that is not saved. */
  onUnsaved: (isUnsaved: boolean) => void;
  tell: (words: string) => void;
};

/** A text of the site: as visitors see it, and behind its pencil the way to write another one (§2, §4). */
export function CellCard(props: CellCardProps) {
  const { api, orgid, entry, pageTitle, cell, show, onChanged, onUnsaved, tell } = props;
  const view = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [asking, ask] = useState<Asking>();
  const edit = useCellEdit({ api, orgid, cell, onChanged, tell });
  const { draft, aside, isUnsaved } = edit;
  const isEditing = draft !== undefined;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  useFocusOnPencil(card, isEditing);
  const begin = (text?: string) => edit.edit(fittingRows(view.current?.offsetHeight ?? 0), text);
  const ofPage = <VisuallyHidden>{` ${entry.title} of ${pageTitle}`}</VisuallyHidden>;
  return (
    <section ref={card} className={styles.card} aria-label={`${entry.title}, ${pageTitle}`}>
      <header className={styles.head}>
        <div>
          <h3>{entry.title}</h3>
          <p className={styles.place}>
            {entry.place} <span>{standingText(cell)}</span>
          </p>
        </div>
        {!isEditing && (
          <div className={styles.buttons}>
            <Button kind="quiet" onClick={() => ask('history')}>
              <Icon name="history" /> History{ofPage}
            </Button>
            <Button kind="outline" data-pencil onClick={() => begin()}>
              <Icon name="pencil" /> Edit{ofPage}
            </Button>
          </div>
        )}
      </header>
      {isEditing ? (
        <CellEditor
          {...{ api, orgid, cell, edit, draft, show }}
          title={`${entry.title} of ${pageTitle}`}
          onReset={() => ask('reset')}
        />
      ) : (
        <div ref={view} className={styles.text}>
          {show(cell)}
        </div>
      )}
      {!isEditing && aside !== undefined && (
        <p className={styles.aside} role="status">
          What you typed here is put aside.
          <Button kind="outline" onClick={() => begin(aside)}>
            Go on with it
          </Button>
          <Button kind="quiet" onClick={edit.forget}>
            Drop it
          </Button>
        </p>
      )}
      <CellDialogs
        {...{ api, orgid, cell, edit, asking, onChanged, tell }}
        title={entry.title}
        onClose={() => ask(undefined)}
      />
    </section>
  );
}

/** What is known of the text that stands; of the organisation's tag that is kept elsewhere. */
function standingText({ isDefault, createdTimestamp }: Cell): string {
  if (isDefault) return 'Standard text.';
  return createdTimestamp === null ? '' : `Changed on ${dayText(createdTimestamp)}.`;
}

/** The keyboard goes on at the pencil when writing has ended. */
function useFocusOnPencil(card: { readonly current: HTMLElement | null }, isEditing: boolean): void {
  const was = useRef(isEditing);
  useEffect(() => {
    if (was.current && !isEditing) card.current?.querySelector<HTMLElement>('[data-pencil]')?.focus();
    was.current = isEditing;
  }, [card, isEditing]);
}
