// @spec 2.pages-editor 4.cell
import { expect, test } from 'vitest';
import type { Cell } from '#contract/schemas/cells.ts';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { CELL_PAGE_ENTRIES } from '#web/routes/editor/cells/cell-labels.ts';
import { calculateRows, isStale } from '#web/routes/editor/cells/cell-row.tsx';

test('every cell in the specification is listed with a title and a location', () => {
  const listedCells = CELL_PAGE_ENTRIES.map(({ page, cells }) => [page, cells.map(({ name }) => name)]);
  expect(listedCells).toEqual(CELL_PAGES.map((page) => [page, [...CELLS[page]]]));
  for (const { title, cells } of CELL_PAGE_ENTRIES) {
    expect(title).toMatch(/^[A-Z]/);
    for (const cell of cells)
      expect([cell.title, cell.location]).toEqual([expect.stringMatching(/^[A-Z]/), expect.stringMatching(/\.$/)]);
  }
});

test('the FAQ has a note about headings', () => {
  const faq = CELL_PAGE_ENTRIES.find(({ page }) => page === 'faq')?.cells[0];
  expect(faq?.note).toBe('Headings that start with ### go into the table of contents.');
});

// @spec decisions.7
test.each([
  ['2026-03-02', '2026-03-01', true],
  ['2026-03-01', '2026-03-02', false],
  [null, '2026-03-01', false],
  // The Spanish default follows the English one.
  ['2026-03-02', null, false],
])('an English text from %s makes a Spanish text from %s out of date: %s', (english, spanish, isSpanishStale) => {
  const createText = (language: 'en' | 'es', createdTimestamp: string | null) => {
    const cell = { language, isDefault: createdTimestamp === null, createdTimestamp } as Cell;
    return { language, cell };
  };
  const texts = [createText('en', english), createText('es', spanish)];
  expect(texts.map((text) => isStale(text, texts))).toEqual([false, isSpanishStale]);
});

test.each([
  [0, 4],
  [120, 5],
  [480, 20],
  [9000, 28],
])('text %i pixels tall gets %i rows', (height, rows) => {
  expect(calculateRows(height)).toBe(rows);
});
