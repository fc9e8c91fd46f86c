import { Readable } from 'node:stream';
import { FileResponse } from './call-route.ts';

export type CsvRow = readonly (string | null)[];

const CSV_TYPE = 'text/csv; charset=utf-8';

/** @param rows including the headings */
export function createCsvFile(name: string, rows: readonly CsvRow[]): FileResponse {
  const content = Buffer.from(rows.map(formatCsvLine).join(''));
  return new FileResponse({ content, type: CSV_TYPE, name, lines: rows.length - 1 });
}

type CsvDownload = {
  readonly name: string;
  /** Number of rows, if known. */
  readonly lines: number | undefined;
  readonly headings: CsvRow;
  readonly pages: AsyncIterable<readonly CsvRow[]>;
};

/** Creates a file whose pages are read while it is sent. Between pages, a slow download uses no database connection. */
export function createCsvDownload({ name, lines, headings, pages }: CsvDownload): FileResponse {
  const content = Readable.from(generateCsvLines(headings, pages));
  return new FileResponse({ content, type: CSV_TYPE, name, ...(lines === undefined ? {} : { lines }) });
}

/** Byte order mark, so that spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

async function* generateCsvLines(headings: CsvRow, pages: AsyncIterable<readonly CsvRow[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + formatCsvLine(headings);
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map(formatCsvLine).join('');
  }
}

/** Start of a cell that spreadsheets would run as a formula. Some spreadsheets also accept full-width characters. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** In files separated by semicolons or tabs, a cell starts after each of them. */
const INNER_FORMULA = /[;\t\r\n](?=\s*[=+\-@＝＋－＠])/g;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Formats a CSV line (RFC 4180). Cells that a spreadsheet would run as formulas get a leading apostrophe. */
export function formatCsvLine(cells: CsvRow): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}

function formatCsvCell(cell: string | null): string {
  if (cell === null) return '';
  const safeCell = NUMBER.test(cell) ? cell : cell.replace(INNER_FORMULA, "$&'").replace(FORMULA, "'$&");
  return NEEDS_QUOTES.test(safeCell) ? `"${safeCell.replaceAll('"', '""')}"` : safeCell;
}
