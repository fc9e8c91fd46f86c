import { FileResponse } from './call-route.ts';

/** @param rows including the headings */
export function csvFile(name: string, rows: readonly (readonly (string | null)[])[]): FileResponse {
  const content = Buffer.from(rows.map(csvLine).join(''));
  return new FileResponse({ content, type: 'text/csv; charset=utf-8', name, lines: rows.length - 1 });
}

/** Tells spreadsheets that the file is UTF-8. */
export const UTF8_MARK = '\ufeff';

/** Start of a cell that spreadsheets would run as a formula. Some spreadsheets also accept full-width characters. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** In files separated by semicolons or tabs, a cell starts after each of them. */
const INNER_FORMULA = /[;\t\r\n](?=\s*[=+\-@＝＋－＠])/g;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** A CSV line (RFC 4180). Cells that a spreadsheet would run as formulas get a leading apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | null): string {
  if (cell === null) return '';
  const safe = NUMBER.test(cell) ? cell : cell.replace(INNER_FORMULA, "$&'").replace(FORMULA, "'$&");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
