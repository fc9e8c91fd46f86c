// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { composeReceipt, type ReceiptInput } from '#domain/receipt.ts';
import { createReceiptPdf } from '#server/features/receipts/receipt-pdf.ts';
import { splitFontRuns } from '#server/gateways/pdf/fonts.ts';
import { PARENT } from '#test/support/build-app.ts';

const FACTS: ReceiptInput = {
  number: 1012,
  donee: PARENT,
  orgName: 'Ithaca Climate Fund',
  donor: 'Paula Payer',
  givenOn: '2026-11-21',
  issuedOn: '2026-11-21',
  amount: 2500,
  currency: 'usd',
  paymentMethod: { kind: 'card', items: [donationItem(25)] },
  nextChargeOn: undefined,
  testPayment: undefined,
};
const renderPdf = (overrides: Partial<ReceiptInput> = {}) =>
  createReceiptPdf(composeReceipt({ ...FACTS, ...overrides }), { notes: [], remaining: FACTS.amount });
const countPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

test('a receipt is one tagged Letter page with a title and a language', async () => {
  const pdf = await renderPdf();
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
  expect(countPages(pdf)).toBe(1);
  const text = pdf.toString('latin1');
  expect(text).toContain('/MediaBox [0 0 612 792]');
  expect(text).toContain('/Marked true');
  expect(text).toContain('/Lang (en-US)');
  expect(text).toContain('/DisplayDocTitle true');
  expect(text).toContain('<dc:title>');
  expect(text).toContain('Receipt no. 1012');
});

test('the same document produces the same file', async () => {
  expect((await renderPdf()).equals(await renderPdf())).toBe(true);
  expect((await renderPdf()).equals(await renderPdf({ donor: 'Eve' }))).toBe(false);
});

test('a recent receipt’s file is cached until its gift changes', async () => {
  const document = composeReceipt(FACTS);
  const cachedPdf = await createReceiptPdf(document, { notes: [], remaining: FACTS.amount });
  expect(await createReceiptPdf(composeReceipt(FACTS), { notes: [], remaining: FACTS.amount })).toBe(cachedPdf);
  expect(await createReceiptPdf(document, { notes: [], remaining: 0 })).not.toBe(cachedPdf);
});

test('the donor and the honored name are printed', async () => {
  expect((await renderPdf()).equals(await renderPdf({ donor: null }))).toBe(false);
  expect((await renderPdf()).equals(await renderPdf({ tribute: { kind: 'honor', name: 'Ada' } }))).toBe(false);
});

test('the longest names and the largest cart fit', async () => {
  const items = Array.from({ length: 100 }, () => donationItem(25));
  const pdf = await renderPdf({ donor: 'W'.repeat(200), amount: 250_000, paymentMethod: { kind: 'card', items } });
  expect(countPages(pdf)).toBe(6);
});

test.each([
  ['Paula Payer', ['text']],
  ['Łukasz Żółć', ['text-ext', 'text', 'text-ext', 'text', 'text-ext']],
  ['Ελένη', ['greek']],
  ['Юлия', ['cyrillic']],
  ['Ánh', ['text']],
  ['Nguyễn', ['text', 'vietnamese', 'text']],
])('%s is printed with fonts that have its letters', (name, fonts) => {
  const runs = splitFontRuns(name, 'text');
  expect(runs.map(({ text }) => text).join('')).toBe(name);
  expect(runs.map(({ font }) => font)).toEqual(fonts);
});

test('a letter without a font becomes a question mark', () => {
  expect(splitFontRuns('Ada 王', 'title')).toEqual([{ font: 'title', text: 'Ada ?' }]);
});
