import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { getLanguageName } from '#domain/cell-titles.ts';
import { splitCellName } from '#domain/cells.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { callKey } from '#web/api/queries.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { draftKey } from '#web/session/drafts.ts';
import { useToast } from '#web/ui/toast.tsx';

/** A text that another editor saved after editing began. */
export type NewerText = {
  readonly isOwn: boolean;
  readonly markdown: string;
  readonly savedBy: string;
  readonly savedTimestamp: string;
};
type Draft = { readonly text: string; readonly basedOn: string; readonly rows: number };

/** Identifies a cell's text. The name ends with the language: "intro.es". */
export type TextParams = { readonly orgid: string; readonly page: string; readonly name: string };

/** @param cell the cell that visitors see, which may be in another language */
export function useCellEdit(params: TextParams, cell: Cell, onChanged: (cell: Cell) => void) {
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const announceChange = useUndoableChange(params, onChanged);
  const [draft, setDraft] = useState<Draft>();
  const [conflict, setConflict] = useState<NewerText>();
  const { uid } = useSession();
  const storedDraft = getStoredText(draftKey(uid, `cell-${params.orgid}-${params.page}-${params.name}`));
  /** An unsaved draft. It stays until it is saved or discarded, or the user logs out. */
  const [unsavedDraft, setUnsavedDraft] = useState(() => storedDraft.read() ?? undefined);
  const { run, busy, problem, clear } = useAttempt();
  const isUnsaved = draft !== undefined && draft.text !== cell.markdown;

  const stopEditing = () => {
    setDraft(undefined);
    setConflict(undefined);
    clear();
  };
  /** Ends editing with another editor's text. Refetches the cells, since other languages may fall back to it. */
  const finishWithTheirs = (theirs: Cell, message: string) => {
    onChanged(theirs);
    void client.invalidateQueries({ queryKey: callKey('readCells') });
    stopEditing();
    toast(message);
  };
  /** @param before the text that Undo restores */
  const finishChange = (before: string, newCell: Cell, message: string) => {
    storedDraft.write(null);
    stopEditing();
    announceChange(before, newCell, message);
  };
  const edit = (rows: number, text = cell.markdown) => {
    setUnsavedDraft(undefined);
    setDraft({ text, basedOn: cell.markdown, rows });
  };
  const updateText = (text: string) => {
    clear();
    storedDraft.write(text.trim() === '' || text === cell.markdown ? null : text);
    setDraft((before) => before && { ...before, text });
  };
  const addRow = () => setDraft((before) => before && { ...before, rows: before.rows + 1 });
  const cancel = () => {
    if (isUnsaved && draft.text.trim() !== '') setUnsavedDraft(draft.text);
    stopEditing();
  };
  /** @param overwrittenText the newer text that the editor chose to replace */
  const save = (overwrittenText?: string) => {
    if (!draft) return;
    // §5: an empty text changes nothing.
    if (draft.text.trim() === '') {
      stopEditing();
      toast('Empty text isn’t saved. The previous text stays.');
      return;
    }
    void run(async () => {
      try {
        const body = { markdown: draft.text, basedOn: overwrittenText ?? draft.basedOn };
        finishChange(body.basedOn, await api.call('saveCell', { params, body }), 'Saved. Visitors see it now.');
      } catch (error) {
        const newerVersion = parseNewerText(error);
        if (!newerVersion) throw error;
        setConflict(newerVersion);
      }
    });
  };
  const keepTheirs = () =>
    void run(async () => {
      const theirs = await api.call('readCell', { params });
      if (draft) setUnsavedDraft(draft.text);
      finishWithTheirs(theirs, 'We kept their text. Yours is saved as a draft.');
    });
  const resetText = async () => {
    const current = await api.call('readCell', { params });
    if (isUnsaved) setUnsavedDraft(draft.text);
    if (current.markdown !== cell.markdown) {
      finishWithTheirs(current, 'Someone else changed this text, so it wasn’t reset.');
      return;
    }
    const newCell = await api.call('resetCell', { params });
    const isDefault = newCell.language === splitCellName(params.name).language;
    const fallbackSentence = `Visitors see the ${getLanguageName(newCell.language)} text.`;
    finishChange(current.markdown, newCell, isDefault ? 'Reset to the default text.' : fallbackSentence);
  };
  return {
    draft,
    conflict,
    keptDraft: unsavedDraft,
    isUnsaved,
    busy,
    problem,
    edit,
    updateText,
    addRow,
    cancel,
    save,
    keepTheirs,
    resetText,
    keepWriting: () => setConflict(undefined),
    discard: () => {
      storedDraft.write(null);
      setUnsavedDraft(undefined);
    },
  };
}

export type CellEdit = ReturnType<typeof useCellEdit>;

/** Confirms a change with an Undo button, which restores the earlier text unless someone has changed it since. */
export function useUndoableChange(params: TextParams, onChanged: (cell: Cell) => void) {
  const api = useApi();
  const toast = useToast();
  return (before: string, newCell: Cell, message: string): void => {
    const { markdown } = newCell;
    const undo = async () => {
      try {
        const body = { markdown: before, basedOn: markdown };
        onChanged(await api.call('saveCell', { params, body }));
        toast('Change undone');
      } catch (error) {
        toast(
          parseNewerText(error)
            ? 'Someone else has changed this text since. Check its history.'
            : failureMessage(error),
        );
      }
    };
    onChanged(newCell);
    toast(message, before === markdown ? undefined : { label: 'Undo', run: () => void undo() });
  };
}

/** The newer text from a `text-changed` failure; undefined for other errors. */
export function parseNewerText(error: unknown): NewerText | undefined {
  const details = error instanceof ApiProblem ? error.getDetails('text-changed') : undefined;
  if (!details) return undefined;
  const { markdown, savedBy, isSavedByCaller, savedTimestamp } = details;
  return {
    isOwn: isSavedByCaller === 1,
    markdown: String(markdown),
    savedBy: String(savedBy),
    savedTimestamp: String(savedTimestamp),
  };
}
