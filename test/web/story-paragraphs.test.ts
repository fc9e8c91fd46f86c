import { expect, test } from 'vitest';
import { storyParagraphs } from '#web/stories/story-paragraphs.ts';

const texts = (story: string) => storyParagraphs(story).map(({ text }) => text);

test('line breaks of any system, one or many, set paragraphs apart', () => {
  expect(texts('One.\nTwo.\r\n\r\n  Three. \n\n\n')).toEqual(['One.', 'Two.', 'Three.']);
});

test('a story of blanks has no paragraphs', () => {
  expect(texts(' \n \r\n')).toEqual([]);
});

test('two paragraphs of the same words are two', () => {
  const keys = storyParagraphs('Again.\nAgain.').map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});
