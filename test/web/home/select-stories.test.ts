import { expect, test } from 'vitest';
import { selectStories } from '#web/routes/home/route.ts';

const story = (id: string, language: 'en' | 'es') => ({ id, language });

test('the home page prefers the newest stories in its language', () => {
  const stories = [story('1', 'es'), story('2', 'en'), story('3', 'es'), story('4', 'en'), story('5', 'en')];
  expect(selectStories(stories).map(({ id }) => id)).toEqual(['2', '4']);
  expect(selectStories([story('1', 'es'), story('2', 'es'), story('3', 'en')]).map(({ id }) => id)).toEqual(['3', '1']);
  expect(selectStories([])).toEqual([]);
});
