import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { getLanguageName } from '#domain/cell-titles.ts';
import { isTag, splitCellName } from '#domain/cells.ts';
import { photoFailure } from '#domain/profile.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { UploadProgress } from '#web/forms/form-card.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { CellView } from './cell-view.tsx';
import styles from './cells.module.css';
import { MarkdownField, MarkdownHelp, replaceInTextarea, replaceWithPicture } from './markdown-field.tsx';
import type { CellEdit, TextParams } from './use-cell-edit.ts';

type CellEditorProps = {
  params: TextParams;
  title: string;
  cell: Cell;
  /** The cell's texts in other languages. */
  otherTranslations: readonly Cell[];
  edit: CellEdit;
  draft: NonNullable<CellEdit['draft']>;
  onReset: () => void;
};

/** The textarea with Save, Cancel, and Reset buttons, and a preview (§2). */
export function CellEditor({ params, title, cell, otherTranslations, edit, draft, onReset }: CellEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [showsPhoneWidth, setShowsPhoneWidth] = useState(false);
  const [pictureDialog, setPictureDialog] = useState<{ picture: File | undefined }>();
  const { page, name } = cell;
  const { language } = splitCellName(params.name);
  const isFallback = cell.language !== language;
  const preview = useCellPreview(params, draft.text, cell.html);
  useEffect(() => field.current?.focus(), []);
  const { html, hasExternalPictures } = preview.content;
  const insert = (address: string, description: string) => {
    const textarea = field.current;
    if (!textarea) return;
    // Reads the selection first, because closing the dialog moves the focus and can reset the selection.
    const { value: text, selectionStart: start, selectionEnd: end } = textarea;
    // An undoable edit requires focus in the textarea.
    flushSync(() => setPictureDialog(undefined));
    replaceInTextarea(textarea, replaceWithPicture({ text, start, end }, address, description), edit.updateText);
  };
  return (
    <div className={styles.editor}>
      <Stack>
        {isFallback && (
          <p className={styles.place}>
            This is the {getLanguageName(cell.language)} text. Replace it with your translation.
          </p>
        )}
        <MarkdownField
          label={title}
          language={language}
          field={field}
          text={draft.text}
          rows={draft.rows}
          error={edit.problem ?? preview.problem}
          isPlainText={isTag(cell)}
          onTextChange={edit.updateText}
          onEnter={edit.addRow}
          onSave={() => edit.save()}
          onPicture={(picture) => setPictureDialog({ picture })}
        />
        <Cluster>
          <Button kind="action" busy={edit.busy} onClick={() => edit.save()}>
            {edit.busy ? 'Saving…' : 'Save'}
          </Button>
          <Button kind="outline" disabled={edit.busy} onClick={edit.cancel}>
            Cancel
          </Button>
          <Button kind="quiet" disabled={edit.busy || cell.isDefault || isFallback} onClick={onReset}>
            Reset
          </Button>
        </Cluster>
        {!isTag(cell) && <MarkdownHelp />}
      </Stack>
      <section className={styles.view} aria-label={`Preview of ${title}`}>
        <div className={styles.caption}>
          <p>Preview</p>
          <Button kind="quiet" aria-pressed={showsPhoneWidth} onClick={() => setShowsPhoneWidth(!showsPhoneWidth)}>
            Phone width
          </Button>
        </div>
        <div className={showsPhoneWidth ? styles.phone : undefined}>
          <CellView cell={{ page, name, language, markdown: draft.text, html }} />
        </div>
        {hasExternalPictures && (
          <p className={styles.warning} role="status">
            Images hosted elsewhere won’t show. Insert yours with the Image button instead.
          </p>
        )}
        {otherTranslations.map((translation) => (
          <details key={translation.language} open={language !== DEFAULT_LANGUAGE} className={styles.help}>
            <summary>{getLanguageName(translation.language)} text</summary>
            <CellView cell={translation} />
          </details>
        ))}
      </section>
      {pictureDialog && (
        <PictureDialog
          orgId={params.orgid}
          picture={pictureDialog.picture}
          onInsert={insert}
          onClose={() => setPictureDialog(undefined)}
        />
      )}
    </div>
  );
}

type PictureDialogProps = {
  orgId: string;
  /** A picture that was pasted or dropped. */
  picture: File | undefined;
  onInsert: (address: string, description: string) => void;
  onClose: () => void;
};

type PictureValues = { readonly file: File | undefined; readonly description: string };

function PictureDialog({ orgId, picture, onInsert, onClose }: PictureDialogProps) {
  const api = useApi();
  const form = useForm<PictureValues, 'file'>({
    initial: { file: picture, description: '' },
    fields: ['file'],
    validate: ({ file }) => problemsByField({ file: file && photoFailure(file) }),
  });
  const { values, change, progress, problems } = form;
  const { file, description } = values;
  const add = async (onProgress: (fraction: number) => void) => {
    if (!file) return;
    const body = new FormData();
    body.append('file', file);
    const { address } = await api.upload('addPicture', { params: { orgid: orgId }, form: body, onProgress });
    onInsert(address, description);
  };
  return (
    <FormDialog
      title="Insert image"
      confirmLabel="Insert"
      ready={file !== undefined && problems.file === undefined && description.trim() !== ''}
      form={form}
      onSubmit={add}
      onClose={onClose}
    >
      <PhotoField
        label="Image"
        photo={file}
        problem={form.errorOf('file', false) ?? problems.file}
        onPhoto={(newFile) => change({ file: newFile })}
      />
      <TextField
        label="Description"
        hint="For people who can’t see it, such as “Two volunteers carry insulation into an attic”."
        maxLength={250}
        {...form.fieldProps('description')}
      />
      {progress !== undefined && <UploadProgress fraction={progress} subject="the image" />}
    </FormDialog>
  );
}

type CellPreview = {
  readonly content: ResponseBody<'previewCell'>;
  /** Reason why the text can't be rendered or saved. */
  readonly problem: string | undefined;
};

const EMPTY_PREVIEW: CellPreview = { content: { html: '', hasExternalPictures: false }, problem: undefined };
/** Debounce in milliseconds, to limit preview requests. */
const DEBOUNCE_MS = 250;

/** Preview rendered by the server. @param html HTML of the saved text */
function useCellPreview({ orgid: orgId, page, name }: TextParams, text: string, html: string): CellPreview {
  const api = useApi();
  const [preview, setPreview] = useState<CellPreview>({
    ...EMPTY_PREVIEW,
    content: { html, hasExternalPictures: false },
  });
  const isEmpty = text.trim() === '';
  useEffect(() => {
    if (isEmpty) return undefined;
    const abortController = new AbortController();
    const load = async () => {
      try {
        const { signal } = abortController;
        const content = await api.call('previewCell', {
          params: { orgid: orgId, page, name },
          body: { markdown: text },
          signal,
        });
        setPreview({ content, problem: undefined });
      } catch (error) {
        if (abortController.signal.aborted) return;
        setPreview((previous) => ({ ...previous, problem: failureMessage(error) }));
      }
    };
    const timer = setTimeout(() => void load(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [api, orgId, page, name, text, isEmpty]);
  return isEmpty ? EMPTY_PREVIEW : preview;
}
