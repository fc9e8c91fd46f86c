import { expect, test } from 'vitest';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { fittingRows } from '#web/routes/editor/cells/fitting-rows.ts';
import { TEXT_PAGES } from '#web/routes/editor/cells/text-words.ts';

test('every text of the specification has its place on the page, and words of its own', () => {
  const listed = TEXT_PAGES.map(({ page, texts }) => [page, texts.map(({ name }) => name)]);
  expect(listed).toEqual(CELL_PAGES.map((page) => [page, [...CELLS[page]]]));
  for (const { title, texts } of TEXT_PAGES) {
    expect(title).toMatch(/^[A-Z]/);
    for (const text of texts)
      expect([text.title, text.place]).toEqual([expect.stringMatching(/^[A-Z]/), expect.stringMatching(/\.$/)]);
  }
});

test('the note on the headings of the FAQ stands beside it', () => {
  const faq = TEXT_PAGES.find(({ page }) => page === 'faq')?.texts[0];
  expect(faq?.place).toContain('Headings that start with ### go into the table of contents.');
});

test.each([
  [0, 4],
  [120, 5],
  [480, 20],
  [9000, 28],
])('a text %i pixels high is written in %i lines', (height, rows) => {
  expect(fittingRows(height)).toBe(rows);
});
