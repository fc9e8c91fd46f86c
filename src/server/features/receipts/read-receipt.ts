import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { readHistory } from './receipt-document.ts';
import { createReceiptPdf, receiptFileName } from './receipt-pdf.ts';
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
