import { dayText } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import {
  printedOn,
  type ReceiptDocument,
  type ReceiptHistory,
  receiptDonor,
  receiptEffect,
  receiptStatements,
  receiptSummary,
} from '#domain/receipt.ts';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';

/** A receipt to print or to keep. The same document is the same file, until something happens to its gift. */
export function receiptPdf(document: ReceiptDocument, history: ReceiptHistory): Promise<Buffer> {
  const { number, program, donee, lines, renewal, mark, issuedOn } = document;
  const donor = receiptDonor(document);
  const [, ...statements] = mark === null ? ['', ...receiptStatements(document)] : receiptStatements(document);
  const parts: PdfPart[] = [
    { kind: 'title', text: 'Donation receipt' },
    ...(mark === null ? [] : [{ kind: 'mark', text: mark } as const]),
    {
      kind: 'facts',
      rows: [...(donor ? [['Received from', donor] as const] : []), ...receiptSummary(document, history)],
    },
    { kind: 'heading', text: 'Your gift' },
    {
      kind: 'table',
      headings: ['Item', 'Amount'],
      rows: lines.map(({ text, amount }) => [text, formatCents(amount)]),
      total: ['Total', formatCents(document.amount)],
    },
    ...[receiptEffect(document, history), ...statements]
      .filter(Boolean)
      .map((text) => ({ kind: 'text', text }) as const),
    ...(renewal.length === 0
      ? []
      : [{ kind: 'note', text: `As of ${dayText(printedOn(document))}: ${renewal.join(' ')}` } as const]),
  ];
  return writePdf({
    title: `Receipt no. ${number}`,
    brand: program,
    parts,
    footer: [`${donee.name}, EIN ${donee.ein}`, donee.address, donee.contactEmail],
    createdAt: new Date(`${issuedOn}T12:00:00Z`),
  });
}
