// @spec decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoadedPage } from '#web/api/client.ts';
import { nextCursor } from '#web/api/queries.ts';
import { flattenPages, updatePages } from '#web/api/use-list.ts';

type Story = { id: string; createdTimestamp: string; name?: string };

const storyAt = (minute: number, id = `s${minute}`): Story => ({
  id,
  createdTimestamp: new Date(Date.UTC(2026, 2, 14, 9, minute)).toISOString(),
});
const page = (minutes: readonly number[], nextCursor?: string): LoadedPage<Story> => ({
  items: minutes.map((minute) => storyAt(minute)),
  nextCursor,
});
const listIds = (pages: readonly LoadedPage<Story>[]) => flattenPages(pages).map(({ id }) => id);
const loadedPages = [page([9, 5], 's5'), page([1])];

test('a changed story keeps its position', () => {
  const changedPages = updatePages(loadedPages, { ...storyAt(5), name: 'Restored' }, 'add', 'desc');
  expect(listIds(changedPages)).toEqual(['s9', 's5', 's1']);
  expect(flattenPages(changedPages)[1]).toMatchObject({ name: 'Restored' });
});

test('inserts a new story in order and removes a story that no longer matches', () => {
  expect(listIds(updatePages(loadedPages, storyAt(7), 'add', 'desc'))).toEqual(['s9', 's7', 's5', 's1']);
  expect(listIds(updatePages(loadedPages, storyAt(10), 'add', 'desc'))).toEqual(['s10', 's9', 's5', 's1']);
  expect(listIds(updatePages(loadedPages, storyAt(0), 'add', 'desc'))).toEqual(['s9', 's5', 's1', 's0']);
  expect(listIds(updatePages(loadedPages, storyAt(7), 'if-listed', 'desc'))).toEqual(['s9', 's5', 's1']);
  expect(listIds(updatePages(loadedPages, storyAt(5), 'remove', 'desc'))).toEqual(['s9', 's1']);
});

test('a story past the loaded pages isn’t added', () => {
  const firstPage = [page([9, 5], 's5')];
  expect(listIds(updatePages(firstPage, storyAt(1), 'add', 'desc'))).toEqual(['s9', 's5']);
});

test('a story on two pages is listed once', () => {
  expect(listIds([page([9, 5], 's5'), page([5, 1])])).toEqual(['s9', 's5', 's1']);
});

test('the next page starts after the last listed story, even if the server’s cursor is a deleted story', () => {
  expect(nextCursor([page([9, 5], 'deleted')])).toBe('s5');
  expect(nextCursor([page([9, 5], 's5'), page([])])).toBeUndefined();
  expect(nextCursor([page([], 'deleted')])).toBe('deleted');
});

test('the list stays sorted for any order of arrival', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 8 });
  fc.assert(
    fc.property(minutes, fc.constantFrom('asc' as const, 'desc' as const), (times, order) => {
      const pages = times.reduce(
        (listedPages, minute) => updatePages(listedPages, storyAt(minute), 'add', order),
        [page([])],
      );
      const sorted = times.toSorted((a, b) => (order === 'asc' ? a - b : b - a));
      expect(listIds(pages)).toEqual(sorted.map((minute) => `s${minute}`));
    }),
  );
});

test('stories with the same timestamp are sorted by id, as on the server', () => {
  const pair = [{ items: [storyAt(5, 'c'), storyAt(5, 'a')], nextCursor: undefined }];
  expect(listIds(updatePages(pair, storyAt(5, 'b'), 'add', 'desc'))).toEqual(['c', 'b', 'a']);
});
