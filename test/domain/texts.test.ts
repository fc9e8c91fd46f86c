import { expect, test } from 'vitest';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { TAG_MAXIMUM } from '#domain/org.ts';
import { isCell, isTag, TEXT_MAXIMUM, textFailure, tidyText } from '#domain/texts.ts';

const INTRO = { page: 'home', name: 'intro' };
const TAG = { page: 'home', name: 'tag' };

test('every default is a text that could be saved', () => {
  for (const page of CELL_PAGES) {
    for (const name of CELLS[page]) expect(textFailure({ page, name }, defaultCell(page, name))).toBeUndefined();
  }
});

test.each([
  ['', 'text-empty'],
  [' \n\t', 'text-empty'],
  ['a'.repeat(TEXT_MAXIMUM), undefined],
  ['a'.repeat(TEXT_MAXIMUM + 1), 'text-too-long'],
])('a text is refused where it is empty or too long', (text, code) => {
  expect(textFailure(INTRO, text)?.code).toBe(code);
});

test('a text too long is told by how much', () => {
  const failure = textFailure(INTRO, 'a'.repeat(TEXT_MAXIMUM + 1200));
  expect(failure?.message).toBe('This text is 1,200 characters too long. It may have at most 30,000.');
});

test('the tag has the limit of a heading, and is one line', () => {
  expect(textFailure(TAG, 'a'.repeat(TAG_MAXIMUM))).toBeUndefined();
  expect(textFailure(TAG, 'a'.repeat(TAG_MAXIMUM + 1))?.code).toBe('tag-too-long');
  expect(tidyText(TAG, ' Warm\r\nhomes ')).toBe('Warm homes');
  expect(tidyText(INTRO, ' Warm\r\nhomes\rhere ')).toBe(' Warm\nhomes\nhere ');
});

test('a text is one that the specification lists', () => {
  expect([isCell(INTRO), isCell(TAG), isTag(TAG), isTag(INTRO)]).toEqual([true, true, true, false]);
  for (const [page = '', name = ''] of [
    ['home', 'secret'],
    ['faq', 'intro'],
    ['__proto__', 'toString'],
    ['', ''],
  ]) {
    expect(isCell({ page, name })).toBe(false);
  }
});
