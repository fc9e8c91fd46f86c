import { Failure } from '#domain/failures.ts';
import { type ReceiptDocument, receiptLanguage } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { historyOf } from './receipt-document.ts';
import { receiptPdf } from './receipt-pdf.ts';
import type { ReceiptSource } from './receipt-sources.store.ts';

export { type ReceiptSource, receiptSourceByKey, receiptSourceOfEntry } from './receipt-sources.store.ts';

/** A receipt as a PDF. @returns Failure receipt-not-found */
export async function readReceiptFile(
  { db: { kysely } }: Pick<AppDeps, 'db'>,
  source: ReceiptSource | undefined,
): Promise<FileResponse | Failure> {
  if (!source) return new Failure('receipt-not-found');
  const { document } = source;
  return new FileResponse({
    content: await receiptPdf(document, await historyOf(kysely, source)),
    type: 'application/pdf',
    name: receiptFileName(document),
  });
}

/** The file name, in the receipt's language. */
export function receiptFileName(document: ReceiptDocument): string {
  return m.receiptFile({ number: String(document.number) }, { locale: receiptLanguage(document) });
}
