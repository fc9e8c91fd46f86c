import { expect, test } from 'vitest';
import type { Profile } from '#contract/schemas/stories.ts';
import {
  appendPage,
  createLoadedStories,
  type LoadedStories,
  replaceFirstPage,
} from '#web/routes/stories/story-list.tsx';

/** Creates a story from this day. Later days are newer. */
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
const listIds = ({ firstPage, laterStories }: LoadedStories) =>
  [...firstPage.items, ...laterStories].map(({ id }) => id);

const loadedStories = appendPage(createLoadedStories(page([9, 8, 7], 's7')), page([6, 5, 4], 's4'));

test('the next page is appended, and the cursor advances', () => {
  expect(listIds(loadedStories)).toEqual(['s9', 's8', 's7', 's6', 's5', 's4']);
  expect(loadedStories.nextCursor).toBe('s4');
});

test('a new story appears at the top, and no other is lost or repeated', () => {
  const refreshedStories = replaceFirstPage(loadedStories, page([10, 9, 8], 's8'));
  expect(listIds(refreshedStories)).toEqual(['s10', 's9', 's8', 's7', 's6', 's5', 's4']);
  expect(refreshedStories.nextCursor).toBe('s4');
});

test('a story that was taken down disappears', () => {
  expect(listIds(replaceFirstPage(loadedStories, page([9, 7, 6], 's6')))).toEqual(['s9', 's7', 's6', 's5', 's4']);
});

test('refreshing a one-page list replaces it', () => {
  expect(replaceFirstPage(createLoadedStories(page([9, 8], 's8')), page([10, 9], 's9'))).toEqual(
    createLoadedStories(page([10, 9], 's9')),
  );
});

test('a list that shrank to one page has no next page', () => {
  expect(replaceFirstPage(loadedStories, page([9]))).toEqual(createLoadedStories(page([9])));
  expect(replaceFirstPage(loadedStories, page([]))).toEqual(createLoadedStories(page([])));
});

test('an unchanged first page doesn’t change the list', () => {
  expect(replaceFirstPage(loadedStories, loadedStories.firstPage)).toBe(loadedStories);
});

test('a story that the next page repeats is listed once', () => {
  expect(listIds(appendPage(loadedStories, page([4, 3])))).toEqual(['s9', 's8', 's7', 's6', 's5', 's4', 's3']);
});
