import { expect, test } from 'vitest';
import { createBrowserHistory, type HistoryTab, type SiteHistory } from '#web/navigation/site-history.ts';

/** Creates a tab that goes back and forward asynchronously, as browsers do. */
function createTab() {
  const entries: { url: URL; state: unknown }[] = [{ url: new URL('http://site.test/a'), state: null }];
  const listeners = new Set<() => void>();
  let index = 0;
  const currentEntry = () => entries[index] ?? { url: new URL('http://site.test/'), state: null };
  const createEntry = (state: unknown, address: string | URL | null | undefined) => ({
    url: new URL(address ?? '', currentEntry().url),
    state,
  });
  const pushState: History['pushState'] = (state, _unused, address) => {
    entries.splice(index + 1, entries.length, createEntry(state, address));
    index += 1;
  };
  const tab: HistoryTab = {
    get location() {
      return currentEntry().url;
    },
    history: {
      get state() {
        return currentEntry().state;
      },
      pushState,
      replaceState: (state, _unused, address) => {
        entries[index] = createEntry(state, address ?? currentEntry().url);
      },
      go: (steps = 0) =>
        setTimeout(() => {
          index += steps;
          for (const listener of listeners) listener();
        }),
    },
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  };
  return {
    tab,
    clickHashLink: (hash: string) => {
      pushState(null, '', hash);
      for (const listener of listeners) listener();
    },
  };
}

/** Records the visitor's moves through the history. */
function recordMoves(history: SiteHistory) {
  const moves: [address: string, steps: number][] = [];
  history.listen(({ address }, steps) => moves.push([address, steps]));
  return moves;
}

/** Opens three pages. */
function openPages() {
  const { tab, clickHashLink } = createTab();
  const history = createBrowserHistory(tab);
  history.current();
  for (const address of ['/b', '/c']) history.push({ key: address, address });
  return { tab, history, moves: recordMoves(history), clickHashLink };
}

test('reports how far the visitor moves in the history, even after a reload', async () => {
  const { tab, history, moves } = openPages();
  history.go(-2);
  await expect.poll(() => moves).toEqual([['/a', -2]]);
  const reloadedHistory = createBrowserHistory(tab);
  const movesAfterReload = recordMoves(reloadedHistory);
  reloadedHistory.go(1);
  await expect.poll(() => movesAfterReload).toEqual([['/b', 1]]);
});

test('undoes a move without reporting it', async () => {
  const { history, moves } = openPages();
  history.go(-1);
  await expect.poll(() => moves).toEqual([['/b', -1]]);
  await history.undoMove(-1);
  expect([moves.length, history.current().address]).toEqual([1, '/c']);
  history.go(-2);
  await expect.poll(() => moves.at(-1)).toEqual(['/a', -2]);
});

test('a history entry created by a hash link is one step ahead', async () => {
  const { history, moves, clickHashLink } = openPages();
  clickHashLink('#questions');
  expect(moves).toEqual([['/c#questions', 1]]);
  history.go(-1);
  await expect.poll(() => moves.at(-1)).toEqual(['/c', -1]);
});
