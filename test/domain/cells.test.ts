// @spec 5.cell decisions.5
import { expect, test } from 'vitest';
import { CELL_PAGES, CELLS, isCell, isTag, MAX_CELL_LENGTH, normalizeCell } from '#domain/cells.ts';
import { MAX_TAG_LENGTH } from '#domain/org.ts';
import { cellFailure } from '#domain/site-failures.ts';
import { defaultText } from '#test/support/default-text.ts';

const INTRO = { page: 'home', name: 'intro' };
const TAG = { page: 'home', name: 'tag' };

test('every default text is valid', () => {
  for (const page of CELL_PAGES) {
    for (const name of CELLS[page]) expect(cellFailure({ page, name }, defaultText(page, name))).toBeUndefined();
  }
});

test.each([
  ['', 'text-empty'],
  [' \n\t', 'text-empty'],
  ['a'.repeat(MAX_CELL_LENGTH), undefined],
  ['a'.repeat(MAX_CELL_LENGTH + 1), 'text-too-long'],
])('empty and overlong text is rejected', (text, code) => {
  expect(cellFailure(INTRO, text)?.code).toBe(code);
});

test('the error for overlong text says by how much', () => {
  const failure = cellFailure(INTRO, 'a'.repeat(MAX_CELL_LENGTH + 1200));
  expect(failure?.message).toBe('This text is 1,200 characters too long. It can have at most 30,000.');
});

test('the tag is limited to one line, like a heading', () => {
  expect(cellFailure(TAG, 'a'.repeat(MAX_TAG_LENGTH))).toBeUndefined();
  expect(cellFailure(TAG, 'a'.repeat(MAX_TAG_LENGTH + 1))?.code).toBe('tag-too-long');
  expect(normalizeCell(TAG, ' Warm\r\nhomes ')).toBe('Warm homes');
  expect(normalizeCell(INTRO, ' Warm\r\nhomes\rhere ')).toBe(' Warm\nhomes\nhere ');
});

test('only cells in the specification exist', () => {
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
