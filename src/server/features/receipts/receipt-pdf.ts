import { dayText } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import {
  buildReceiptSummary,
  getReceiptLanguage,
  officialStatement,
  type ReceiptDocument,
  type ReceiptHistory,
  receiptEffect,
  receiptStatements,
} from '#domain/receipt.ts';
import { m } from '#messages';
import { type PdfPart, type PdfSheet, writePdf } from '#server/gateways/pdf/write-pdf.ts';

const MAX_CACHED_PDFS = 200;
/** Recent PDFs by receipt content. Writing a PDF takes 30 ms of CPU time. */
const cache = new Map<string, Promise<Buffer>>();

/** Creates a receipt as a PDF. The same document and history always produce the same file. */
export function createReceiptPdf(document: ReceiptDocument, history: ReceiptHistory): Promise<Buffer> {
  const key = JSON.stringify([document, history]);
  const cachedPdf = cache.get(key);
  if (cachedPdf) return cachedPdf;
  const pdf = writePdf(composeReceiptSheet(document, history));
  cache.set(key, pdf);
  pdf.catch(() => cache.delete(key));
  for (const oldestKey of cache.keys()) {
    if (cache.size <= MAX_CACHED_PDFS) break;
    cache.delete(oldestKey);
  }
  return pdf;
}

/** Returns the file name in the receipt's language. */
export function receiptFileName(document: ReceiptDocument): string {
  return m.receiptFile({ number: String(document.number) }, { locale: getReceiptLanguage(document) });
}

export function composeReceiptSheet(document: ReceiptDocument, history: ReceiptHistory): PdfSheet {
  const { number, orgName, donee, donor, lines, renewal, testPaymentNotice, issuedOn } = document;
  const language = getReceiptLanguage(document);
  const options = { locale: language };
  const [, ...statements] =
    testPaymentNotice === null ? ['', ...receiptStatements(document)] : receiptStatements(document);
  const asOf = { day: dayText(issuedOn, options), terms: renewal.join(' ') };
  const parts: PdfPart[] = [
    { kind: 'title', text: m.receiptTitle({}, options) },
    ...(testPaymentNotice === null ? [] : [{ kind: 'highlight', text: testPaymentNotice } as const]),
    {
      kind: 'details',
      rows: [
        ...(donor === null ? [] : [[m.receiptFrom({}, options), donor] as const]),
        ...buildReceiptSummary(document, history),
      ],
    },
    { kind: 'heading', text: m.giftYours({}, options) },
    {
      kind: 'table',
      headings: [m.receiptItem({}, options), m.receiptAmount({}, options)],
      rows: lines.map(({ text, amount }) => [text, formatCents(amount)]),
      total: [m.cartTotal({}, options), formatCents(document.amount)],
    },
    ...[receiptEffect(document, history), ...statements]
      .filter(Boolean)
      .map((text) => ({ kind: 'text', text }) as const),
    ...officialStatement(document).map((text) => ({ kind: 'note', text }) as const),
    ...(renewal.length === 0 ? [] : [{ kind: 'note', text: m.receiptAsOf(asOf, options) } as const]),
  ];
  return {
    language,
    title: m.givingReceipt({ number: String(number) }, options),
    brand: orgName,
    parts,
    footer: [`${donee.name}, EIN ${donee.ein}`, donee.address, donee.contactEmail],
    createdAt: new Date(`${issuedOn}T12:00:00Z`),
  };
}
