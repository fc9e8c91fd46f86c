import { Failure } from '#domain/failures.ts';
import { type ReceiptDocument, receiptLanguage } from '#domain/receipt.ts';
import { m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { FileAnswer } from '#server/http/call-route.ts';
import { type DocumentDeps, documentOf, historyOf } from './receipt-document.ts';
import { receiptPdf } from './receipt-pdf.ts';
import type { ReceiptSource } from './receipt-sources.store.ts';

type ReadDeps = DocumentDeps & Pick<AppDeps, 'db'>;

/** A receipt as a PDF. @returns Failure receipt-not-found */
export async function readReceiptFile(
  deps: ReadDeps,
  source: ReceiptSource | undefined,
): Promise<FileAnswer | Failure> {
  if (!source) return new Failure('receipt-not-found');
  const { kysely } = deps.db;
  const document = await documentOf(kysely, deps, source);
  return new FileAnswer({
    content: await receiptPdf(document, await historyOf(kysely, source)),
    type: 'application/pdf',
    name: receiptFileName(document),
  });
}

/** In the language of the receipt. */
export function receiptFileName(document: ReceiptDocument): string {
  return m.receiptFile({ number: String(document.number) }, { locale: receiptLanguage(document) });
}
