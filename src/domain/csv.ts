/** What a cell of a table says; nothing where there is nothing to say. */
export type CsvCell = string | null;

/** Spreadsheets read a text that begins so as a formula, and would run it. */
const FORMULA = /^[=+\-@\t\r\n]|^\s+[=+\-@]/;
/** A number is none, also below zero. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const QUOTED = /[",\r\n]|^\s|\s$/;

/**
 * A line of a table as RFC 4180 has it, with its end. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it; a number stays one.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  const harmless = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
