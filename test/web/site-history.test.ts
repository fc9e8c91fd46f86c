// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { createBrowserHistory, type HistoryEntry, type SiteHistory } from '#web/navigation/site-history.ts';

let history: SiteHistory;
let moves: [address: string, steps: number][];

beforeEach(() => {
  window.history.replaceState(null, '', '/a');
  history = createBrowserHistory(window);
  history.current();
  moves = [];
  for (const address of ['/b', '/c']) history.push({ key: address, address });
  return history.listen(({ address }: HistoryEntry, steps) => moves.push([address, steps]));
});

test('reports how far the visitor goes, also after a reload', async () => {
  history.go(-2);
  await expect.poll(() => moves).toEqual([['/a', -2]]);
  const reloadedHistory = createBrowserHistory(window);
  const movesAfterReload: typeof moves = [];
  const stop = reloadedHistory.listen(({ address }, steps) => movesAfterReload.push([address, steps]));
  reloadedHistory.go(1);
  await expect.poll(() => movesAfterReload).toEqual([['/b', 1]]);
  stop();
});

test('undoes a move without reporting it', async () => {
  history.go(-1);
  await expect.poll(() => moves).toEqual([['/b', -1]]);
  await history.undoMove(-1);
  expect([moves.length, history.current().address]).toEqual([1, '/c']);
  history.go(-2);
  await expect.poll(() => moves.at(-1)).toEqual(['/a', -2]);
});

test('an entry that a link to a hash created counts as one step', async () => {
  window.history.pushState(null, '', '/c#questions');
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(moves).toEqual([['/c#questions', 1]]);
  history.go(-1);
  await expect.poll(() => moves.at(-1)).toEqual(['/c', -1]);
});
