import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { isTag } from '#domain/cells.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './cell-editor.module.css';
import { MarkdownField, replaceIn } from './markdown-field.tsx';
import { MarkdownHelp } from './markdown-help.tsx';
import { type Replacement, withPicture } from './marks.ts';
import { PictureDialog } from './picture-dialog.tsx';
import type { CellEdit } from './use-cell-edit.ts';
import { usePreview } from './use-preview.ts';

/** Draws a text as visitors see it, on the page where they meet it. */
export type ShowText = (text: Pick<Cell, 'page' | 'name' | 'markdown' | 'html'>) => ReactNode;

type CellEditorProps = {
  api: ApiClient;
  orgid: string;
  /** What the text is called. */
  title: string;
  cell: Cell;
  edit: CellEdit;
  draft: NonNullable<CellEdit['draft']>;
  show: ShowText;
  onReset: () => void;
};

/** A text being written, and beside it what visitors would see of it (§2: textarea, Reset, Cancel, Save). */
export function CellEditor({ api, orgid, title, cell, edit, draft, show, onReset }: CellEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [adding, setAdding] = useState<{ given: File | undefined }>();
  const waiting = useRef<Replacement>(undefined);
  const preview = usePreview(api, { orgid, page: cell.page, name: cell.name }, draft.text, cell.html);
  useEffect(() => field.current?.focus(), []);
  const { html, hasForeignPictures } = preview.shown;
  const insert = (address: string, description: string) => {
    const area = field.current;
    if (area) {
      const { value: text, selectionStart: start, selectionEnd: end } = area;
      waiting.current = withPicture({ text, start, end }, address, description);
    }
    setAdding(undefined);
  };
  // While the dialog is there the field cannot have the focus, nor so be written into as by hand, which can be undone.
  const putIn = useEffectEvent(() => {
    const part = waiting.current;
    waiting.current = undefined;
    if (part && field.current) replaceIn(field.current, part, edit.type);
  });
  const isAdding = adding !== undefined;
  useEffect(() => {
    if (isAdding) return;
    // And in a task of its own: the change is to be told to React as that of a hand is.
    const timer = setTimeout(() => putIn());
    return () => clearTimeout(timer);
  }, [isAdding]);
  return (
    <div className={styles.editor}>
      <div className={styles.writing}>
        <MarkdownField
          label={title}
          field={field}
          text={draft.text}
          rows={draft.rows}
          error={edit.problem ?? preview.problem}
          plain={isTag(cell)}
          onType={edit.type}
          onEnter={edit.grow}
          onSave={() => void edit.save()}
          onPicture={(given) => setAdding({ given })}
        />
        <div className={styles.buttons}>
          <Button kind="action" busy={edit.busy} onClick={() => void edit.save()}>
            {edit.busy ? 'Saving…' : 'Save'}
          </Button>
          <Button kind="outline" disabled={edit.busy} onClick={edit.cancel}>
            Cancel
          </Button>
          <Button kind="quiet" disabled={edit.busy || cell.isDefault} onClick={onReset}>
            Reset
          </Button>
        </div>
        {!isTag(cell) && <MarkdownHelp />}
      </div>
      <section className={styles.preview} aria-label={`Preview of ${title}`}>
        <p className={styles.caption}>As visitors will see it</p>
        {show({ page: cell.page, name: cell.name, markdown: draft.text, html })}
        {hasForeignPictures && (
          <p className={styles.warning} role="status">
            A picture of another site is not shown to visitors. Put it in with the Picture button instead.
          </p>
        )}
      </section>
      {adding && (
        <PictureDialog
          api={api}
          orgid={orgid}
          given={adding.given}
          onAdded={insert}
          onClose={() => setAdding(undefined)}
        />
      )}
    </div>
  );
}
