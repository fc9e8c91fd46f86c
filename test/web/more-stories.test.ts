import { expect, test } from 'vitest';
import type { Profile } from '#contract/schemas/stories.ts';
import { type ShownStories, startStories, withFirst, withMore } from '#web/routes/stories/more-stories.ts';

/** Stories by their day; the newest has the highest. */
const story = (day: number): Profile => ({
  id: `s${day}`,
  name: `Story ${day}`,
  story: '',
  photoURL: null,
  photo: null,
  profileURL: '',
  createdTimestamp: new Date(Date.UTC(2026, 0, day)).toISOString(),
});
const page = (days: readonly number[], nextCursor?: string) => ({ items: days.map(story), nextCursor });
const idsOf = ({ first, more }: ShownStories) => [...first.items, ...more].map(({ id }) => id);

const shown = withMore(startStories(page([9, 8, 7], 's7')), page([6, 5, 4], 's4'));

test('what comes after is put behind, and the list goes on from there', () => {
  expect(idsOf(shown)).toEqual(['s9', 's8', 's7', 's6', 's5', 's4']);
  expect(shown.nextCursor).toBe('s4');
});

test('a new story comes to the top, and none is lost or doubled for it', () => {
  const newer = withFirst(shown, page([10, 9, 8], 's8'));
  expect(idsOf(newer)).toEqual(['s10', 's9', 's8', 's7', 's6', 's5', 's4']);
  expect(newer.nextCursor).toBe('s4');
});

test('a story that was taken down is gone', () => {
  expect(idsOf(withFirst(shown, page([9, 7, 6], 's6')))).toEqual(['s9', 's7', 's6', 's5', 's4']);
});

test('a list of which nothing more was asked for is what its first page is', () => {
  expect(withFirst(startStories(page([9, 8], 's8')), page([10, 9], 's9'))).toEqual(startStories(page([10, 9], 's9')));
});

test('a list that has become short ends', () => {
  expect(withFirst(shown, page([9]))).toEqual(startStories(page([9])));
  expect(withFirst(shown, page([]))).toEqual(startStories(page([])));
});

test('the same first page changes nothing', () => {
  expect(withFirst(shown, shown.first)).toBe(shown);
});

test('a story that comes once more with the next page is shown once', () => {
  expect(idsOf(withMore(shown, page([4, 3])))).toEqual(['s9', 's8', 's7', 's6', 's5', 's4', 's3']);
});
