// @spec decisions.3
import { expect, test } from 'vitest';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';

const createdAt = new Date('2026-06-03T12:00:00Z');

async function countPages(parts: readonly PdfPart[]): Promise<number> {
  const pdf = await writePdf({ title: 'Statement', brand: 'Ithaca', parts, footer: ['The Fund'], createdAt });
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** A heading and a table of this many rows. A page has room for 18. */
const account = (rows: number): PdfPart[] => [
  { kind: 'heading', text: 'At the bank' },
  {
    kind: 'table',
    headings: ['Movement', 'Amount'],
    rows: Array.from({ length: rows }, (_, row) => [`Gift ${row + 1}`, '$25.00']),
  },
];

test('a heading and its table start on a new page if they would be split', async () => {
  expect(await countPages([...account(10), ...account(4)])).toBe(1);
  // Split, they would need two pages.
  expect(await countPages([...account(10), ...account(10), ...account(10)])).toBe(3);
});

test('a table that is longer than a page begins where it is', async () => {
  expect(await countPages([...account(4), ...account(20)])).toBe(2);
});
