// @spec decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startList, withItem, withoutItem, withPage } from '#web/api/use-list.ts';

type Story = { id: string; createdTimestamp: string; name?: string };

const storyAt = (minute: number, id = `s${minute}`): Story => ({
  id,
  createdTimestamp: new Date(Date.UTC(2026, 2, 14, 9, minute)).toISOString(),
});
const ids = ({ items }: { items: readonly Story[] }) => items.map(({ id }) => id);
const newest = startList<Story>({ items: [storyAt(9), storyAt(5), storyAt(1)], nextCursor: undefined });

test('a changed story keeps its position', () => {
  const changedList = withItem(newest, { ...storyAt(5), name: 'Mended' }, 'add', 'desc');
  expect(ids(changedList)).toEqual(['s9', 's5', 's1']);
  expect(changedList.items[1]).toMatchObject({ name: 'Mended' });
});

test('a new story is sorted in, and one that no longer matches is removed', () => {
  expect(ids(withItem(newest, storyAt(7), 'add', 'desc'))).toEqual(['s9', 's7', 's5', 's1']);
  expect(ids(withItem(newest, storyAt(10), 'add', 'desc'))).toEqual(['s10', 's9', 's5', 's1']);
  expect(ids(withItem(newest, storyAt(0), 'add', 'desc'))).toEqual(['s9', 's5', 's1', 's0']);
  expect(ids(withItem(newest, storyAt(7), 'if-listed', 'desc'))).toEqual(['s9', 's5', 's1']);
  expect(ids(withItem(newest, storyAt(5), 'remove', 'desc'))).toEqual(['s9', 's1']);
  expect(ids(withoutItem(newest, 's9'))).toEqual(['s5', 's1']);
});

test('a story beyond the loaded part appears once, with the next part', () => {
  const part = startList<Story>({ items: [storyAt(9), storyAt(5)], nextCursor: 's5' });
  const changedList = withItem(part, storyAt(1), 'add', 'desc');
  expect(ids(changedList)).toEqual(['s9', 's5']);
  const fullList = withPage(changedList, { items: [storyAt(5), storyAt(1)], nextCursor: undefined });
  expect(ids(fullList)).toEqual(['s9', 's5', 's1']);
  expect(fullList.hasMore).toBe(false);
});

test('the list stays sorted for any order of arrival', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 8 });
  fc.assert(
    fc.property(minutes, fc.constantFrom('asc' as const, 'desc' as const), (times, order) => {
      const start = startList<Story>({ items: [], nextCursor: undefined });
      const list = times.reduce((shown, minute) => withItem(shown, storyAt(minute), 'add', order), start);
      const sorted = times.toSorted((one, other) => (order === 'asc' ? one - other : other - one));
      expect(ids(list)).toEqual(sorted.map((minute) => `s${minute}`));
    }),
  );
});

test('simultaneous stories are ordered by id, as on the server', () => {
  const pair = startList<Story>({ items: [storyAt(5, 'c'), storyAt(5, 'a')], nextCursor: undefined });
  expect(ids(withItem(pair, storyAt(5, 'b'), 'add', 'desc'))).toEqual(['c', 'b', 'a']);
});
