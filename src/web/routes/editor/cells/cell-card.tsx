import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import { addLanguageToTitle, getLanguageName } from '#domain/cell-titles.ts';
import { storedCellName } from '#domain/cells.ts';
import type { Language } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { UnsavedDraftNote } from '../unsaved-draft-note.tsx';
import { useDates } from '../use-dates.ts';
import { CellEditor } from './cell-editor.tsx';
import { type CellEntry, describeMissingText, describeStaleText } from './cell-labels.ts';
import { CellView } from './cell-view.tsx';
import styles from './cells.module.css';
import { HistoryDialog } from './history-dialog.tsx';
import {
  type CellDraft,
  type CellEdit,
  type ChangeDraft,
  isDraftUnsaved,
  type NewerText,
  useCellEdit,
} from './use-cell-edit.ts';

/** A cell as visitors see it on pages in one language, and its draft while it is edited. */
type CellTranslation = {
  readonly language: Language;
  readonly cell: Cell;
  readonly draft: CellDraft | undefined;
  readonly changeDraft: ChangeDraft;
};

type CellCardProps = {
  orgId: string;
  entry: CellEntry;
  pageTitle: string;
  texts: readonly CellTranslation[];
  onChanged: (language: Language, cell: Cell) => void;
};

/** Shows or edits a cell (§2, §4), one language at a time. */
export function CellCard({ orgId, entry, pageTitle, texts, onChanged }: CellCardProps) {
  const [selectedLanguage, setSelectedLanguage] = useState<Language>(DEFAULT_LANGUAGE);
  const title = `${pageTitle}: ${entry.title}`;
  return (
    <Card aria-label={`${entry.title}, ${pageTitle}`} className={styles.card}>
      <header className={styles.head}>
        <div>
          <h3>{entry.title}</h3>
          <p className={styles.place}>{entry.place}</p>
          {texts.filter(isMissing).map(({ language }) => (
            <p key={language} className={styles.missing}>
              {describeMissingText(language)}
            </p>
          ))}
          {texts
            .filter((text) => isStale(text, texts))
            .map(({ language }) => (
              <p key={language} className={styles.missing}>
                {describeStaleText(language)}
              </p>
            ))}
        </div>
        <fieldset className={styles.languages}>
          <legend>
            <VisuallyHidden>Language of {title}</VisuallyHidden>
          </legend>
          {texts.map(({ language, draft }) => (
            <button
              key={language}
              type="button"
              aria-pressed={language === selectedLanguage}
              onClick={() => setSelectedLanguage(language)}
            >
              {getLanguageName(language)}
              {isDraftUnsaved(draft) && ' (not saved)'}
            </button>
          ))}
        </fieldset>
      </header>
      {texts
        // A text that is being edited stays mounted, since it may be being saved.
        .filter(({ language, draft }) => language === selectedLanguage || draft)
        .map((text) => (
          <TextInLanguage
            key={text.language}
            orgId={orgId}
            text={text}
            texts={texts}
            isSelected={text.language === selectedLanguage}
            onChanged={onChanged}
            title={addLanguageToTitle(title, text.language)}
            heading={addLanguageToTitle(entry.title, text.language)}
          />
        ))}
    </Card>
  );
}

function isMissing({ language, cell }: Pick<CellTranslation, 'language' | 'cell'>): boolean {
  return cell.language !== language;
}

/** @returns whether the English text was saved after this translation (decisions §7) */
export function isStale(
  { language, cell }: Pick<CellTranslation, 'language' | 'cell'>,
  texts: readonly Pick<CellTranslation, 'language' | 'cell'>[],
): boolean {
  const original = texts.find((text) => text.language === DEFAULT_LANGUAGE)?.cell;
  if (language === DEFAULT_LANGUAGE || cell.language !== language || cell.isDefault) return false;
  return (original?.createdTimestamp ?? '') > (cell.createdTimestamp ?? '');
}

/** The cell's texts in other languages. */
function findOtherTranslations(texts: readonly CellTranslation[], language: Language): readonly Cell[] {
  return texts.filter((text) => text.language !== language && !isMissing(text)).map(({ cell }) => cell);
}

/** The language that has no text after a reset, so that visitors see the organization's English text instead. */
function findRemovedLanguage(
  texts: readonly Pick<CellTranslation, 'language' | 'cell'>[],
  language: Language,
): Language | undefined {
  const original = texts.find((text) => text.language === DEFAULT_LANGUAGE);
  return language === DEFAULT_LANGUAGE || original?.cell.isDefault === true ? undefined : language;
}

type TextInLanguageProps = Pick<CellCardProps, 'orgId' | 'texts' | 'onChanged'> & {
  text: CellTranslation;
  /** False for another language's text that is being edited. */
  isSelected: boolean;
  title: string;
  heading: string;
};

function TextInLanguage(props: TextInLanguageProps) {
  const { orgId, text, texts, isSelected, title, heading } = props;
  const { language, cell, draft, changeDraft } = text;
  const view = useRef<HTMLDivElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<'reset' | 'history'>();
  const onChanged = (newCell: Cell) => props.onChanged(language, newCell);
  const params = { orgid: orgId, page: cell.page, name: storedCellName(cell.name, language) };
  const edit = useCellEdit({ params, cell, draft, changeDraft, onChanged });
  const { formatDate } = useDates();
  const { keptDraft } = edit;
  const isEditing = draft !== undefined;
  useFocusAfterEditing(editButton, isEditing);
  const startEditing = (draftToResume?: typeof keptDraft) =>
    edit.edit(calculateRows(view.current?.offsetHeight ?? 0), draftToResume);
  const close = () => setDialog(undefined);
  const hiddenTitle = <VisuallyHidden>{` ${title}`}</VisuallyHidden>;
  return (
    <>
      {!isSelected && edit.problem !== undefined && (
        <Problem>
          {getLanguageName(language)}: {edit.problem}
        </Problem>
      )}
      <div hidden={!isSelected}>
        {!isEditing && (
          <div className={styles.saved}>
            <p>{isMissing(text) ? 'Not translated yet' : describeLastChange(cell, formatDate)}</p>
            <Cluster gap={2}>
              <Button kind="quiet" onClick={() => setDialog('history')}>
                <ExtendedIcon name="history" /> History{hiddenTitle}
              </Button>
              <Button ref={editButton} kind="outline" onClick={() => startEditing()}>
                <ExtendedIcon name="pencil" /> Edit{hiddenTitle}
              </Button>
            </Cluster>
          </div>
        )}
        {isEditing ? (
          <CellEditor
            params={params}
            title={title}
            cell={cell}
            edit={edit}
            draft={draft}
            otherTranslations={findOtherTranslations(texts, language)}
            onReset={() => setDialog('reset')}
          />
        ) : (
          <div className={classNames(styles.text, styles.summary)}>
            <FoldedText isLong={cell.markdown.length > MAX_UNFOLDED_LENGTH} hiddenTitle={hiddenTitle}>
              <div ref={view}>
                <CellView cell={cell} />
              </div>
            </FoldedText>
          </div>
        )}
        {!isEditing && keptDraft !== undefined && (
          <UnsavedDraftNote
            className={styles.setAside}
            onResume={() => startEditing(keptDraft)}
            onDiscard={edit.discard}
          />
        )}
        {draft && edit.conflict && <CellConflictDialog edit={edit} theirs={edit.conflict} ownText={draft.text} />}
        {dialog === 'history' && (
          <HistoryDialog params={params} cell={cell} onChanged={onChanged} title={heading} onClose={close} />
        )}
        {dialog === 'reset' && (
          <ResetDialog edit={edit} removedLanguage={findRemovedLanguage(texts, language)} onClose={close} />
        )}
      </div>
    </>
  );
}

/** In characters, about four lines. Longer text is collapsed. */
const MAX_UNFOLDED_LENGTH = 360;

type FoldedTextProps = { isLong: boolean; hiddenTitle: ReactNode; children: ReactNode };

/** The beginning of a long text, with a button that shows the rest. */
function FoldedText({ isLong, hiddenTitle, children }: FoldedTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isLong) return children;
  return (
    <>
      <div className={isOpen ? undefined : styles.folded} inert={!isOpen}>
        {children}
      </div>
      <Button kind="quiet" className={styles.unfold} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Show less' : 'Show all'}
        {hiddenTitle}
      </Button>
    </>
  );
}

type ResetDialogProps = {
  edit: CellEdit;
  /** Language whose text is removed instead of reset to a default. */
  removedLanguage: Language | undefined;
  onClose: () => void;
};

function ResetDialog({ edit, removedLanguage, onClose }: ResetDialogProps) {
  return (
    <ConfirmDialog
      title={removedLanguage ? `Remove the ${getLanguageName(removedLanguage)} text?` : 'Reset to the default text?'}
      confirmLabel={removedLanguage ? 'Remove' : 'Reset'}
      onConfirm={async () => {
        await edit.resetText();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Visitors will see the {removedLanguage ? getLanguageName(DEFAULT_LANGUAGE) : 'default'} text right away. The
        current text is kept in History.
      </p>
    </ConfirmDialog>
  );
}

type CellConflictDialogProps = { edit: CellEdit; theirs: NewerText; ownText: string };

/** Asks which version to keep. The other one stays in History or as a draft. */
function CellConflictDialog({ edit, theirs, ownText }: CellConflictDialogProps) {
  const { formatDateTime } = useDates();
  const { isOwn, savedBy, savedTimestamp, markdown } = theirs;
  return (
    <ConflictDialog
      subject="this text"
      isOwn={isOwn}
      theirText={markdown}
      ownText={ownText}
      keepWritingLabel="Back to my text"
      takeTheirsLabel={isOwn ? 'Keep the saved one' : 'Keep theirs'}
      busy={edit.busy}
      problem={edit.problem}
      onKeepWriting={edit.keepWriting}
      onTakeTheirs={edit.keepTheirs}
      onSaveMine={() => edit.save(markdown)}
    >
      {isOwn ? 'You' : <strong>{savedBy}</strong>} saved it on {formatDateTime(savedTimestamp)}, while you were writing.
      Choose which one to publish. The other isn’t lost: the saved one is kept in History, yours as a draft on this
      page.
    </ConflictDialog>
  );
}

function describeLastChange({ isDefault, createdTimestamp }: Cell, formatDate: (time: string) => string): string {
  if (isDefault) return 'Default text.';
  // The tag is stored with the organization, which has no timestamp for it.
  return createdTimestamp === null ? '' : `Changed on ${formatDate(createdTimestamp)}.`;
}

/** Pixels. */
const LINE_HEIGHT = 24;
const [MIN_ROWS, MAX_ROWS] = [4, 28];

/** Number of textarea rows that fit in place of rendered text of this height in pixels (§4). */
export function calculateRows(height: number): number {
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round(height / LINE_HEIGHT)));
}

/** Returns the focus to the Edit button when editing ends. */
function useFocusAfterEditing(editButton: RefObject<HTMLElement | null>, isEditing: boolean): void {
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [editButton, isEditing]);
}
