import { Readable } from 'node:stream';
import type { ReceivedQuery } from '#contract/schemas.ts';
import { endOf, startOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { FileParts } from '#server/http/call-route.ts';
import { ledgerCsvLine, ledgerHeading } from './ledger-csv.ts';
import { countLines, type LastLine, type LedgerSpan, linesAfter } from './ledger-lines.store.ts';

/**
 * So many lines are read at once. Each part is a query of its own: a slow reader holds neither a connection nor the
 * memory of a long table.
 */
const LINES_A_PART = 500;

/**
 * The ledger as a table for the treasurer, a line for each entry of the days that are asked for: their sum is the
 * ledger's. Entries are never changed, so that each of those that were there when it began is in it once.
 * @returns Failure days-backwards
 */
export async function exportLedger(
  db: Database,
  orgId: string,
  { from, to }: ReceivedQuery<'downloadLedger'>,
): Promise<FileParts | Failure> {
  if (from !== undefined && to !== undefined && to < from) return new Failure('days-backwards', { field: 'to' });
  const span: LedgerSpan = {
    from: from === undefined ? undefined : startOf(from),
    until: to === undefined ? undefined : endOf(to),
  };
  const lines = await countLines(db.kysely, orgId, span);
  return {
    content: Readable.from(partsOf(db, orgId, span)),
    type: 'text/csv; charset=utf-8',
    name: `${['ledger', from ?? 'beginning', to ?? 'today'].join('_')}.csv`,
    lines,
  };
}

async function* partsOf(db: Database, orgId: string, span: LedgerSpan): AsyncGenerator<string> {
  yield ledgerHeading();
  let last: LastLine | undefined;
  do {
    const lines = await linesAfter(db.kysely, orgId, span, { last, most: LINES_A_PART });
    if (lines.length > 0) yield lines.map(ledgerCsvLine).join('');
    last = lines.length < LINES_A_PART ? undefined : lines.at(-1);
  } while (last);
}
