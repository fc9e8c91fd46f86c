// @spec 4.cell
import { useSuspenseQueries } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Cell } from '#contract/schemas/cells.ts';
import { LANGUAGES, type Language } from '#messages';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { CellRow } from '#web/routes/editor/cells/cell-row.tsx';
import { HistoryDialog } from '#web/routes/editor/cells/history-dialog.tsx';
import { cellsQuery } from '#web/routes/editor/cells/route.ts';
import type { CellDraft } from '#web/routes/editor/cells/use-cell-edit.ts';
import { useApi } from '#web/session/app-context.ts';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const CELL: Cell = {
  page: 'about',
  name: 'intro',
  language: 'en',
  markdown: 'Warm homes',
  html: '<p>Warm homes</p>',
  isDefault: false,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
};

const CONFLICT = new ApiProblem({
  status: 409,
  code: 'text-changed',
  detail: 'Someone else changed this text.',
  details: { markdown: 'Cozy homes', savedBy: 'Ben', isSavedByCaller: 0, savedTimestamp: '2026-02-01T00:00:00.000Z' },
  requestId: '',
});

function IntroRow() {
  const api = useApi();
  const cells = useSuspenseQueries({ queries: LANGUAGES.map((language) => cellsQuery(api, 'valley', language)) });
  const [drafts, setDrafts] = useState<Readonly<Partial<Record<Language, CellDraft>>>>({});
  return (
    <CellRow
      orgId="valley"
      entry={{ page: 'about', name: 'intro', title: 'Intro', location: 'At the top', note: undefined }}
      pageTitle="About"
      texts={LANGUAGES.map((language, index) => ({
        language,
        cell: cells[index]?.data[0] ?? CELL,
        draft: drafts[language],
        changeDraft: (change) =>
          setDrafts(({ [language]: before, ...others }) => {
            const draft = change(before);
            return draft ? { ...others, [language]: draft } : others;
          }),
      }))}
    />
  );
}

/** Renders the row of an English and a Spanish text, with a server that delays its responses to saves. */
function showRow(english = CELL, context = createPageContext()) {
  const saves: PromiseWithResolvers<Cell>[] = [];
  const call = vi.fn().mockImplementation(async (name: string) => {
    if (name === 'previewCell') return { html: '', hasExternalPictures: false };
    const save = Promise.withResolvers<Cell>();
    saves.push(save);
    return save.promise;
  });
  const spanish: Cell = { ...CELL, language: 'es', markdown: 'Casas cálidas' };
  for (const cell of [english, spanish])
    context.client.setQueryData(cellsQuery(context.api, 'valley', cell.language).queryKey, [cell]);
  render(
    wrapInSignedInPage(
      <ToastProvider>
        <IntroRow />
      </ToastProvider>,
      { ...context, api: { ...context.api, call } },
    ),
  );
  return {
    saves,
    listSaves: () => call.mock.calls.filter(([name]) => name === 'saveCell').map(([, input]) => input.body),
  };
}

const getField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'About: Intro' });
const type = (text: string) => fireEvent.change(getField(), { target: { value: text } });
const click = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const listStoredDrafts = () => Object.keys(localStorage).filter((key) => key.startsWith('draft:'));

async function saveWithKeyboard(): Promise<void> {
  await act(async () => fireEvent.keyDown(getField(), { key: 's', ctrlKey: true }));
}

test('a link to a cell expands it', () => {
  const history = createMemoryHistory('/orgs/valley/editor/pages#about-intro');
  showRow(CELL, {
    ...createPageContext(),
    navigator: createNavigator<object>({ history, load: async () => ({}), initialScreen: {} }),
  });
  expect(screen.getByRole('button', { name: 'Intro', expanded: true })).toBeTruthy();
});

test('text typed while an earlier version is being saved is kept and based on the saved version', async () => {
  const { saves, listSaves } = showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await saveWithKeyboard();
  type('Warmer homes for all');
  await act(async () => saves[0]?.resolve({ ...CELL, markdown: 'Warmer homes' }));
  expect(getField().value).toBe('Warmer homes for all');
  expect(listStoredDrafts()).toHaveLength(1);
  await saveWithKeyboard();
  expect(listSaves().at(-1)).toEqual({ markdown: 'Warmer homes for all', basedOn: 'Warmer homes' });
  const savedCell = { ...CELL, markdown: 'Warmer homes for all', html: '<p>Warmer homes for all</p>' };
  await act(async () => saves[1]?.resolve(savedCell));
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(listStoredDrafts()).toEqual([]);
  expect(await screen.findByText('Warmer homes for all')).toBeTruthy();
});

test.each(['Resume', 'Edit About: Intro'])(
  '“%s” opens the stored draft, based on the text it started from even if someone has changed it since',
  async (name) => {
    showRow();
    await click('Edit About: Intro');
    type('Warmer homes');
    cleanup();
    const { listSaves } = showRow({ ...CELL, markdown: 'Cozy homes' });
    await click(name);
    expect(getField().value).toBe('Warmer homes');
    await saveWithKeyboard();
    expect(listSaves()).toEqual([{ markdown: 'Warmer homes', basedOn: 'Warm homes' }]);
  },
);

test('a failed save is shown while another language is selected, and its text stays', async () => {
  const { saves } = showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await saveWithKeyboard();
  await click('Spanish');
  await act(async () => saves[0]?.reject(new Error('no network')));
  expect(screen.getByText(/^English: Something went wrong on our side/)).toBeTruthy();
  await click('English (not saved)');
  expect(getField().value).toBe('Warmer homes');
});

test('a conflict is shown while another language is selected', async () => {
  const { saves } = showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await saveWithKeyboard();
  await click('Spanish');
  await act(async () => saves[0]?.reject(CONFLICT));
  expect(screen.getByRole('alertdialog', { name: 'Someone else changed this text' })).toBeTruthy();
});

test('text that is being saved can’t be saved again after switching languages', async () => {
  const { saves } = showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await saveWithKeyboard();
  await click('Spanish');
  await click('English (not saved)');
  await saveWithKeyboard();
  expect(saves).toHaveLength(1);
});

test('selecting the language of an open draft doesn’t move focus', async () => {
  showRow();
  await click('Edit About: Intro');
  await click('Spanish');
  screen.getByRole('button', { name: 'English' }).focus();
  await click('English');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'English' }));
});

test('a row shows the beginning of its text; opening the row shows the full text and where it appears', async () => {
  const html = `<h2>Welcome</h2><p>Warm &amp; dry. ${'Cozy homes. '.repeat(60)}The end.</p>`;
  showRow({ ...CELL, html });
  const toggle = screen.getByRole('button', { name: 'Intro', expanded: false });
  expect(screen.getByText(/^Warm & dry\. Cozy homes\./).textContent).toHaveLength(240);
  expect(screen.queryByText('At the top')).toBeNull();
  await click('Intro');
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('At the top')).toBeTruthy();
  expect(screen.getByText(/The end\.$/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Welcome' })).toBeTruthy();
});

test('closing a row keeps the text being edited and notes that it isn’t saved', async () => {
  showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await click('Intro');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByText('Not saved yet.')).toBeTruthy();
  await click('Edit About: Intro');
  expect(getField().value).toBe('Warmer homes');
  expect(screen.queryByText('Not saved yet.')).toBeNull();
});

test('a failed save is shown while its row is closed', async () => {
  const { saves } = showRow();
  await click('Edit About: Intro');
  type('Warmer homes');
  await saveWithKeyboard();
  await click('Intro');
  await act(async () => saves[0]?.reject(new Error('no network')));
  expect(screen.getByText(/^English: Something went wrong on our side/)).toBeTruthy();
});

test('"Load more" in the history continues after a failure, and focuses the first new version', async () => {
  const createVersion = (id: string) => ({
    id,
    markdown: `Text ${id}`,
    isDefault: false,
    savedBy: `Editor ${id}`,
    createdTimestamp: '2026-01-01T00:00:00.000Z',
  });
  const list = vi.fn().mockResolvedValueOnce({ items: [createVersion('v1')], nextCursor: 'v1' });
  const loadMore = async () => {
    const response = Promise.withResolvers<object>();
    list.mockReturnValueOnce(response.promise);
    await click('Load more versions');
    await screen.findByRole('button', { name: 'Loading… versions' });
    return response;
  };
  const params = { orgid: 'valley', page: 'about', name: 'intro' };
  const dialog = <HistoryDialog title="Intro" params={params} cell={CELL} onClose={() => {}} />;
  render(wrapInSignedInPage(dialog, { api: { ...createPageContext().api, list } }));
  await screen.findByRole('button', { name: /Editor v1/ });
  const failedResponse = await loadMore();
  failedResponse.reject(new Error('no network'));
  expect(await screen.findByText(/Something went wrong on our side/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  const response = await loadMore();
  response.resolve({ items: [createVersion('v2')], nextCursor: undefined });
  const newVersion = await screen.findByRole('button', { name: /Editor v2/ });
  await waitFor(() => expect(document.activeElement).toBe(newVersion));
  expect(list).toHaveBeenCalledTimes(3);
});
