// @spec 2.offsetter-screen
import { expect, test } from 'vitest';
import { StoryParagraphs, splitParagraphs } from '#web/stories/story-article.tsx';

const paragraphTexts = (story: string) => splitParagraphs(story).map(({ text }) => text);

test('any kind of line break separates paragraphs', () => {
  expect(paragraphTexts('One.\nTwo.\r\n\r\n  Three. \n\n\n')).toEqual(['One.', 'Two.', 'Three.']);
});

test('a blank story has no paragraphs', () => {
  expect(paragraphTexts(' \n \r\n')).toEqual([]);
});

test('two equal paragraphs have different keys', () => {
  const keys = splitParagraphs('Again.\nAgain.').map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

test('each paragraph follows the direction of its script', () => {
  const elements = StoryParagraphs({ story: 'חם בבית.\nWarm at home.' });
  expect(elements.map(({ props }) => props)).toEqual([
    { dir: 'auto', children: 'חם בבית.' },
    { dir: 'auto', children: 'Warm at home.' },
  ]);
});
