import { useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useAttempt } from '#web/api/use-attempt.ts';

/** A text that somebody else saved while one was writing. */
export type NewerText = { readonly markdown: string; readonly savedBy: string; readonly savedTimestamp: string };
/** What is being written, the text that it began from, and how many lines are shown of it. */
type Draft = { readonly text: string; readonly basedOn: string; readonly rows: number };

export type CellEditOptions = {
  readonly api: ApiClient;
  readonly orgid: string;
  readonly cell: Cell;
  /** Told of the text that stands now. */
  readonly onChanged: (cell: Cell) => void;
  /** Shows a short message. */
  readonly tell: (words: string) => void;
};

/** An editable text of a page: viewing it, writing another one, and what becomes of that (§4, cell renderer). */
export function useCellEdit({ api, orgid, cell, onChanged, tell }: CellEditOptions) {
  const [draft, setDraft] = useState<Draft>();
  const [newer, setNewer] = useState<NewerText>();
  /** What was typed and not saved, kept until the page is left: no press loses a text. */
  const [aside, setAside] = useState<string>();
  const attempt = useAttempt();
  const params = { orgid, page: cell.page, name: cell.name };
  const isUnsaved = draft !== undefined && draft.text !== cell.markdown;

  const view = () => {
    setDraft(undefined);
    setNewer(undefined);
    attempt.clear();
  };
  const show = (changed: Cell, words: string) => {
    onChanged(changed);
    view();
    tell(words);
  };
  const edit = (rows: number, text = cell.markdown) => {
    setAside(undefined);
    setDraft({ text, basedOn: cell.markdown, rows });
  };
  const type = (text: string) => {
    attempt.clear();
    setDraft((before) => before && { ...before, text });
  };
  const grow = () => setDraft((before) => before && { ...before, rows: before.rows + 1 });
  const cancel = () => {
    if (isUnsaved && draft.text.trim() !== '') setAside(draft.text);
    view();
  };
  /** @param over the newer text that may go, where somebody else has saved one */
  const save = async (over?: string) => {
    if (!draft) return;
    // §5: an empty text changes nothing.
    if (draft.text.trim() === '') {
      view();
      tell('An empty text is not saved: the one before it stays.');
      return;
    }
    await attempt.run(async () => {
      try {
        const body = { markdown: draft.text, basedOn: over ?? draft.basedOn };
        show(await api.call('saveCell', { params, body }), 'Saved. Visitors see it now.');
      } catch (error) {
        const found = newerText(error);
        if (!found) throw error;
        setNewer(found);
      }
    });
  };
  const takeTheirs = () =>
    attempt.run(async () => {
      const theirs = await api.call('readCell', { params });
      if (draft) setAside(draft.text);
      show(theirs, 'Their text stays. Yours is put aside.');
    });
  const reset = () =>
    attempt.run(async () => {
      const now = await api.call('readCell', { params });
      if (isUnsaved) setAside(draft.text);
      if (now.markdown !== cell.markdown) {
        show(now, 'Somebody else changed this text meanwhile. It is not reset.');
        return;
      }
      const standard = await api.call('resetCell', { params });
      show(standard, 'The standard text is back.');
    });
  return {
    draft,
    newer,
    aside,
    isUnsaved,
    ...attempt,
    edit,
    type,
    grow,
    cancel,
    save,
    takeTheirs,
    reset,
    goOn: () => setNewer(undefined),
    forget: () => setAside(undefined),
  };
}

export type CellEdit = ReturnType<typeof useCellEdit>;

/** The newer text that a refused save brings along. */
export function newerText(error: unknown): NewerText | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'text-changed') return undefined;
  const { markdown, savedBy, savedTimestamp } = error.details;
  return { markdown: String(markdown), savedBy: String(savedBy), savedTimestamp: String(savedTimestamp) };
}
