/** A line of a table that a bench prints: the first cell to the left, all others to the right. Widths in characters. */
export function tableRow([first = '', ...cells]: readonly string[], widths: readonly [number, number]): string {
  return `${first.padEnd(widths[0])} ${cells.map((cell) => cell.padStart(widths[1])).join(' ')}`;
}
