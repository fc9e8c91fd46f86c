import { Failure } from '#domain/failures.ts';
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
  return new FileAnswer({
    content: await fileOf(deps, source),
    type: 'application/pdf',
    name: receiptFileName(source.printed_number),
  });
}

async function fileOf(deps: ReadDeps, source: ReceiptSource): Promise<Buffer> {
  const { kysely } = deps.db;
  const document = await documentOf(kysely, deps, source);
  return receiptPdf(document, await historyOf(kysely, source));
}

export function receiptFileName(number: number): string {
  return `receipt-${number}.pdf`;
}
