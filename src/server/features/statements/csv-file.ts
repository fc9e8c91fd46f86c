import { csvLine } from '#server/features/treasury/export-ledger.ts';
import { FileAnswer } from '#server/http/call-route.ts';

/** @param rows with the headings */
export function csvFile(name: string, rows: readonly (readonly (string | null)[])[]): FileAnswer {
  const content = Buffer.from(rows.map(csvLine).join(''));
  return new FileAnswer({ content, type: 'text/csv; charset=utf-8', name, lines: rows.length - 1 });
}
