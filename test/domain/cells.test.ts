import { expect, test } from 'vitest';
import { CELL_MAXIMUM, CELL_PAGES, CELLS, cellFailure, isCell, isTag, tidyCell } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { TAG_MAXIMUM } from '#domain/org.ts';

const INTRO = { page: 'home', name: 'intro' };
const TAG = { page: 'home', name: 'tag' };

test('every default is a text that could be saved', () => {
  for (const page of CELL_PAGES) {
    for (const name of CELLS[page]) expect(cellFailure({ page, name }, defaultCell(page, name))).toBeUndefined();
  }
});

test.each([
  ['', 'text-empty'],
  [' \n\t', 'text-empty'],
  ['a'.repeat(CELL_MAXIMUM), undefined],
  ['a'.repeat(CELL_MAXIMUM + 1), 'text-too-long'],
])('a text is refused where it is empty or too long', (text, code) => {
  expect(cellFailure(INTRO, text)?.code).toBe(code);
});

test('a text that is too long is refused with the excess', () => {
  const failure = cellFailure(INTRO, 'a'.repeat(CELL_MAXIMUM + 1200));
  expect(failure?.message).toBe('This text is 1,200 characters too long. It may have at most 30,000.');
});

test('the tag has the limit of a heading, and is one line', () => {
  expect(cellFailure(TAG, 'a'.repeat(TAG_MAXIMUM))).toBeUndefined();
  expect(cellFailure(TAG, 'a'.repeat(TAG_MAXIMUM + 1))?.code).toBe('tag-too-long');
  expect(tidyCell(TAG, ' Warm\r\nhomes ')).toBe('Warm homes');
  expect(tidyCell(INTRO, ' Warm\r\nhomes\rhere ')).toBe(' Warm\nhomes\nhere ');
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
