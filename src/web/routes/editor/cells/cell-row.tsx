import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import { addLanguageToTitle, getLanguageName } from '#domain/cell-titles.ts';
import { isTag, storedCellName } from '#domain/cells.ts';
import type { Language } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { parseAddress } from '#web/navigation/address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { UnsavedDraftNote } from '#web/session/unsaved-draft-note.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import folds from '#web/ui/fold.module.css';
import { getParagraphText } from '#web/ui/plain-text.ts';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { useDates } from '../use-dates.ts';
import { CellEditor } from './cell-editor.tsx';
import { type CellEntry, describeMissingText, describeStaleText } from './cell-labels.ts';
import { CellView } from './cell-view.tsx';
import styles from './cells.module.css';
import { HistoryDialog } from './history-dialog.tsx';
import { cellId } from './route.ts';
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

type CellRowProps = {
  orgId: string;
  entry: CellEntry;
  pageTitle: string;
  texts: readonly CellTranslation[];
};

/**
 * A collapsed cell, which expands to show or edit its text (§2, §4) in one language at a time. Expanded at first if the
 * address has its id.
 */
export function CellRow({ orgId, entry, pageTitle, texts }: CellRowProps) {
  const id = cellId(entry);
  const isTarget = parseAddress(useAddress()).hash === `#${id}`;
  const [isOpen, setIsOpen] = useState(isTarget);
  const [selectedLanguage, setSelectedLanguage] = useState<Language>(DEFAULT_LANGUAGE);
  const title = `${pageTitle}: ${entry.title}`;
  const selectedText = texts.find(({ language }) => language === selectedLanguage);
  return (
    <section aria-label={`${entry.title}, ${pageTitle}`} className={styles.row}>
      <div className={styles.head}>
        <h3>
          <button
            type="button"
            id={id}
            className={classNames(folds.toggle, styles.toggle)}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {entry.title}
          </button>
        </h3>
        <div>
          {isOpen && <p className={styles.place}>{entry.location}</p>}
          {!isOpen && selectedText && <Excerpt cell={selectedText.cell} />}
          {entry.note !== undefined && <p className={styles.place}>{entry.note}</p>}
          {listNotices(texts, isOpen).map((notice) => (
            <p key={notice} className={styles.notice}>
              {notice}
            </p>
          ))}
        </div>
      </div>
      <div className={styles.panel}>
        {isOpen && (
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
        )}
        {texts
          // A text that is being edited stays mounted, because a save may be in progress.
          .filter(({ language, draft }) => language === selectedLanguage || draft)
          .map((text) => (
            <TranslationPanel
              key={text.language}
              orgId={orgId}
              text={text}
              texts={texts}
              isOpen={isOpen}
              isSelected={text.language === selectedLanguage}
              onOpen={() => setIsOpen(true)}
              title={addLanguageToTitle(title, text.language)}
              heading={addLanguageToTitle(entry.title, text.language)}
            />
          ))}
      </div>
    </section>
  );
}

/** In characters; the stylesheet shows only the first two lines. */
const EXCERPT_LENGTH = 240;

function Excerpt({ cell }: { cell: Cell }) {
  const text = isTag(cell) ? cell.markdown : getParagraphText(cell.html);
  return (
    <p className={styles.excerpt} lang={cell.language}>
      {text.slice(0, EXCERPT_LENGTH)}
    </p>
  );
}

function listNotices(texts: readonly CellTranslation[], isOpen: boolean): readonly string[] {
  return [
    ...(!isOpen && texts.some(({ draft }) => isDraftUnsaved(draft)) ? ['Not saved yet.'] : []),
    ...texts.filter(isMissing).map(({ language }) => describeMissingText(language)),
    ...texts.filter((text) => isStale(text, texts)).map(({ language }) => describeStaleText(language)),
  ];
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

/** The language whose text a reset removes, so that visitors see the organization's English text instead. */
function findRemovedLanguage(
  texts: readonly Pick<CellTranslation, 'language' | 'cell'>[],
  language: Language,
): Language | undefined {
  const original = texts.find((text) => text.language === DEFAULT_LANGUAGE);
  return language === DEFAULT_LANGUAGE || original?.cell.isDefault === true ? undefined : language;
}

type TranslationPanelProps = Pick<CellRowProps, 'orgId' | 'texts'> & {
  text: CellTranslation;
  /** False while the row is collapsed and shows only the Edit button. */
  isOpen: boolean;
  onOpen: () => void;
  /** False if the text is being edited while another language is selected. */
  isSelected: boolean;
  title: string;
  heading: string;
};

function TranslationPanel({ orgId, text, texts, isOpen, isSelected, onOpen, title, heading }: TranslationPanelProps) {
  const { language, cell, draft, changeDraft } = text;
  const view = useRef<HTMLDivElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<'reset' | 'history'>();
  const params = { orgid: orgId, page: cell.page, name: storedCellName(cell.name, language) };
  const edit = useCellEdit({ params, cell, draft, changeDraft });
  const { formatDate } = useDates();
  const isEditing = draft !== undefined;
  useFocusAfterEditing(editButton, isEditing);
  const startEditing = () => {
    // Shows the text, so that its height can be measured.
    flushSync(onOpen);
    edit.startEditing(calculateRows(view.current?.offsetHeight ?? 0));
  };
  const close = () => setDialog(undefined);
  const hiddenTitle = <VisuallyHidden>{` ${title}`}</VisuallyHidden>;
  return (
    <>
      {!(isOpen && isSelected) && edit.problem !== undefined && (
        <Problem>
          {getLanguageName(language)}: {edit.problem}
        </Problem>
      )}
      <div hidden={!isSelected} className={isSelected ? styles.text : undefined}>
        {!(isOpen && isEditing) && (
          <Button ref={editButton} kind="quiet" className={styles.edit} onClick={isEditing ? onOpen : startEditing}>
            <ExtendedIcon name="pencil" /> <span>Edit{hiddenTitle}</span>
          </Button>
        )}
        {isOpen && !isEditing && (
          <>
            <div className={styles.saved}>
              <p>{isMissing(text) ? 'Not translated yet' : describeLastChange(cell, formatDate)}</p>
              <Button kind="quiet" onClick={() => setDialog('history')}>
                <ExtendedIcon name="history" /> History{hiddenTitle}
              </Button>
            </div>
            <div ref={view} className={classNames(styles.view, styles.summary)}>
              <CellView cell={cell} />
            </div>
          </>
        )}
        {isOpen && isEditing && (
          <CellEditor
            params={params}
            title={title}
            cell={cell}
            edit={edit}
            draft={draft}
            otherTranslations={findOtherTranslations(texts, language)}
            onReset={() => setDialog('reset')}
          />
        )}
        {!isEditing && edit.storedDraft !== undefined && (
          <UnsavedDraftNote className={styles.setAside} onResume={startEditing} onDiscard={edit.discard} />
        )}
        {draft && edit.newer && <CellConflictDialog edit={edit} newer={edit.newer} ownText={draft.text} />}
        {dialog === 'history' && <HistoryDialog params={params} cell={cell} title={heading} onClose={close} />}
        {dialog === 'reset' && (
          <ResetDialog edit={edit} removedLanguage={findRemovedLanguage(texts, language)} onClose={close} />
        )}
      </div>
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

type CellConflictDialogProps = { edit: CellEdit; newer: NewerText; ownText: string };

/** Asks which version to keep. The other version remains in History or as a draft. */
function CellConflictDialog({ edit, newer, ownText }: CellConflictDialogProps) {
  const { formatDateTime } = useDates();
  const { isOwn, savedBy, savedTimestamp, markdown } = newer;
  return (
    <ConflictDialog
      subject="this text"
      isOwn={isOwn}
      theirText={markdown}
      ownText={ownText}
      keepEditingLabel="Back to my text"
      takeTheirsLabel={isOwn ? 'Keep the saved one' : 'Keep theirs'}
      busy={edit.busy}
      problem={edit.problem}
      onKeepEditing={edit.keepEditing}
      onTakeTheirs={edit.takeTheirs}
      onOverwrite={() => edit.overwrite(newer)}
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

const LINE_HEIGHT_PX = 24;
const [MIN_ROWS, MAX_ROWS] = [4, 28];

/** Returns the number of textarea rows that match rendered text of this height in pixels (§4). */
export function calculateRows(height: number): number {
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round(height / LINE_HEIGHT_PX)));
}

/** Returns the focus to the Edit button when editing ends. */
function useFocusAfterEditing(editButton: RefObject<HTMLElement | null>, isEditing: boolean): void {
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [editButton, isEditing]);
}
