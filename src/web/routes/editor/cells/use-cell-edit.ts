import { useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { getLanguageName } from '#domain/cell-titles.ts';
import { type CellRef, splitCellName } from '#domain/cells.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { callKey } from '#web/api/queries.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { draftKey } from '#web/session/drafts.ts';
import { parseDraft, serializeDraft } from '#web/session/use-draft.ts';
import { useToast } from '#web/ui/toast.tsx';
import { cellsQuery } from './route.ts';

/** A version that another editor saved after editing began. */
export type NewerText = {
  readonly isOwn: boolean;
  readonly markdown: string;
  readonly savedBy: string;
  readonly savedTimestamp: string;
};

/** A text that is being edited. */
export type CellDraft = { readonly text: string; readonly base: string; readonly rows: number };
export type ChangeDraft = (change: (previous: CellDraft | undefined) => CellDraft | undefined) => void;

export function isDraftUnsaved(draft: CellDraft | undefined): boolean {
  return draft !== undefined && draft.text !== draft.base;
}

/** Identifies a cell's text. The name ends with the language: "intro.es". */
export type TextParams = { readonly orgid: string; readonly page: string; readonly name: string };

type CellEditOptions = {
  readonly params: TextParams;
  /** The cell that visitors see, which may be in another language. */
  readonly cell: Cell;
  readonly draft: CellDraft | undefined;
  readonly changeDraft: ChangeDraft;
};

/** Edits a cell's text. The page stores the drafts, so that it can warn about any unsaved text. */
export function useCellEdit({ params, cell, draft, changeDraft }: CellEditOptions) {
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const updateCell = useUpdateCell(params);
  const announceChange = useUndoableChange(params);
  const [newer, setNewer] = useState<NewerText>();
  const { uid } = useSession();
  const savedValues = { text: cell.markdown };
  const draftStorage = getStoredText(draftKey(uid, `cell-${params.orgid}-${params.page}-${params.name}`));
  /** An unsaved draft in this browser, kept until it is saved or discarded, or the user logs out. */
  const storedText = useSyncExternalStore(draftStorage.subscribe, draftStorage.read);
  const storedDraft = parseDraft(storedText, savedValues);
  const { run, busy, problem, clear } = useAttempt();

  const storeDraft = (text: string, base: string) =>
    draftStorage.write(serializeDraft({ values: { text }, base: { text: base } }));
  const stopEditing = () => {
    changeDraft(() => undefined);
    setNewer(undefined);
    clear();
  };
  /** Ends editing with another editor's text. Refetches the cells, since other languages may fall back to that text. */
  const finishWithTheirs = (theirs: Cell, message: string) => {
    updateCell(theirs);
    void client.invalidateQueries({ queryKey: callKey('readCells') });
    stopEditing();
    toast(message);
  };
  /** Ends editing, unless the user kept typing during the save. */
  const finishSave = (savedText: string, newCell: Cell) => {
    if (parseDraft(draftStorage.read(), savedValues)?.values.text === savedText) draftStorage.write(null);
    changeDraft((previous) =>
      previous && previous.text !== savedText ? { ...previous, base: newCell.markdown } : undefined,
    );
    setNewer(undefined);
  };
  /** Continues with the stored draft, because typing replaces it. */
  const startEditing = (rows: number) => {
    const { values, base } = storedDraft ?? { values: savedValues, base: savedValues };
    changeDraft(() => ({ text: values.text, base: base.text, rows }));
  };
  const updateText = (text: string) => {
    if (!draft) return;
    clear();
    if (text.trim() === '' || text === draft.base) draftStorage.write(null);
    else storeDraft(text, draft.base);
    changeDraft((previous) => previous && { ...previous, text });
  };
  const addRow = () => changeDraft((previous) => previous && { ...previous, rows: previous.rows + 1 });
  /** @param base the text that the draft replaces */
  const save = (base = draft?.base) => {
    if (!draft || base === undefined) return;
    // Empty text changes nothing (§5).
    if (draft.text.trim() === '') {
      stopEditing();
      toast('The text can’t be empty. Nothing was changed.');
      return;
    }
    void run(async () => {
      try {
        const body = { markdown: draft.text, basedOn: base };
        const newCell = await api.call('saveCell', { params, body });
        finishSave(draft.text, newCell);
        announceChange(base, newCell, 'Saved. The change is live.');
      } catch (error) {
        const newerVersion = parseNewerText(error);
        if (!newerVersion) throw error;
        setNewer(newerVersion);
      }
    });
  };
  const takeTheirs = () =>
    void run(async () => {
      // The user has seen the newer text, so the draft may replace it later.
      if (draft && newer) storeDraft(draft.text, newer.markdown);
      finishWithTheirs(await api.call('readCell', { params }), 'We kept their text. Yours is saved as a draft.');
    });
  const resetText = async () => {
    const currentCell = await api.call('readCell', { params });
    if (currentCell.markdown !== cell.markdown) {
      finishWithTheirs(currentCell, 'Someone else changed this text, so it wasn’t reset.');
      return;
    }
    const newCell = await api.call('resetCell', { params });
    const isDefault = newCell.language === splitCellName(params.name).language;
    const fallbackSentence = `Visitors see the ${getLanguageName(newCell.language)} text.`;
    stopEditing();
    announceChange(currentCell.markdown, newCell, isDefault ? 'Reset to the default text.' : fallbackSentence);
  };
  return {
    draft,
    newer,
    storedDraft,
    busy,
    problem,
    startEditing,
    updateText,
    addRow,
    cancel: stopEditing,
    save: () => save(),
    overwrite: ({ markdown }: NewerText) => save(markdown),
    takeTheirs,
    resetText,
    keepEditing: () => setNewer(undefined),
    discard: () => draftStorage.write(null),
  };
}

export type CellEdit = ReturnType<typeof useCellEdit>;

/** Updates a cell's text in the page's data. */
export function useUpdateCell({ orgid: orgId, name }: TextParams): (cell: Cell) => void {
  const api = useApi();
  const client = useQueryClient();
  const { queryKey } = cellsQuery(api, orgId, splitCellName(name).language);
  return (cell) => {
    client.setQueryData(queryKey, (cells) =>
      cells?.map((cachedCell) => (isSameCell(cachedCell, cell) ? cell : cachedCell)),
    );
  };
}

export function isSameCell(a: CellRef, b: CellRef): boolean {
  return a.page === b.page && a.name === b.name;
}

/** Confirms a change with an Undo button, which restores the earlier text unless someone has changed it since. */
export function useUndoableChange(params: TextParams) {
  const api = useApi();
  const updateCell = useUpdateCell(params);
  const toast = useToast();
  return (before: string, newCell: Cell, message: string): void => {
    const { markdown } = newCell;
    const undo = async () => {
      try {
        const body = { markdown: before, basedOn: markdown };
        updateCell(await api.call('saveCell', { params, body }));
        toast('Change undone');
      } catch (error) {
        toast(
          parseNewerText(error)
            ? 'Someone else has changed this text since. Check its history.'
            : failureMessage(error),
        );
      }
    };
    updateCell(newCell);
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
