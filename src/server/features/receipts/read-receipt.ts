import { Failure } from '#domain/failures.ts';
import { getReceiptLanguage, type ReceiptDocument } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { readHistory } from './receipt-document.ts';
import { createReceiptPdf } from './receipt-pdf.ts';
import type { ReceiptWithReturns } from './receipt-sources.store.ts';

export { findReceiptSourceByEntry, findReceiptSourceByKey, type ReceiptWithReturns } from './receipt-sources.store.ts';

/** Exports a receipt as a PDF. @returns Failure receipt-not-found */
export async function readReceiptFile(
  { db: { kysely } }: Pick<AppDeps, 'db'>,
  receipt: ReceiptWithReturns | undefined,
): Promise<FileResponse | Failure> {
  if (!receipt) return new Failure('receipt-not-found');
  const { document } = receipt;
  return new FileResponse({
    content: await createReceiptPdf(document, await readHistory(kysely, receipt)),
    type: 'application/pdf',
    name: receiptFileName(document),
  });
}

/** Returns the file name in the receipt's language. */
export function receiptFileName(document: ReceiptDocument): string {
  return m.receiptFile({ number: String(document.number) }, { locale: getReceiptLanguage(document) });
}
