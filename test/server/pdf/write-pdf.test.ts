// @spec decisions.3
import { expect, test } from 'vitest';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';

const createdAt = new Date('2026-06-03T12:00:00Z');

async function countPages(parts: readonly PdfPart[]): Promise<number> {
  const pdf = await writePdf({ title: 'Statement', brand: 'Ithaca', parts, footer: ['The Fund'], createdAt });
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** Builds a heading and a table with this many rows; 18 fit on a page. */
const buildAccount = (rows: number): PdfPart[] => [
  { kind: 'heading', text: 'At the bank' },
  {
    kind: 'table',
    headings: ['Movement', 'Amount'],
    rows: Array.from({ length: rows }, (_, row) => [`Gift ${row + 1}`, '$25.00']),
  },
];

test('a heading and its table start on a new page if they would be split', async () => {
  expect(await countPages([...buildAccount(10), ...buildAccount(4)])).toBe(1);
  // Two pages would be enough if headings could be separated from their tables.
  expect(await countPages([...buildAccount(10), ...buildAccount(10), ...buildAccount(10)])).toBe(3);
});

test('a table longer than a page doesn’t move to a new page', async () => {
  expect(await countPages([...buildAccount(4), ...buildAccount(20)])).toBe(2);
});
