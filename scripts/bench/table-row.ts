/** One line of a printed table: the first cell left-aligned, the others right-aligned. Widths in characters. */
export function formatTableRow([label = '', ...cells]: readonly string[], widths: readonly [number, number]): string {
  return `${label.padEnd(widths[0])} ${cells.map((cell) => cell.padStart(widths[1])).join(' ')}`;
}
