// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsvLine } from '#server/http/csv-file.ts';

// @asvs 1.3.3
test.each([
  ['=1+1', "'=1+1"],
  ['+1 607 555 0100', "'+1 607 555 0100"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['\t=1+1', "'\t'=1+1"],
  [' =1+1', "' =1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['Ada; @SUM(A1);＝2', "Ada;' @SUM(A1);'＝2"],
  ['Ada\t=1+1', "Ada\t'=1+1"],
  ['Ada\n=1+1', `"Ada\n'=1+1"`],
  ['Ada; Giver', 'Ada; Giver'],
  ['-25.00', '-25.00'],
  ['25.00', '25.00'],
  ['Ada Giver', 'Ada Giver'],
  ['Giver, Ada', '"Giver, Ada"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=two\nlines', `"'=two\nlines"`],
])('the cell %j is written as %j', (cell, expected) => {
  expect(formatCsvLine([cell])).toBe(`${expected}\r\n`);
});

test('an empty value is an empty cell', () => {
  expect(formatCsvLine(['a', null, 'b'])).toBe('a,,b\r\n');
});

const FORMULA_CHARACTERS = [';', '=', '+', '-', '@', '＝', ' ', '\t', '\n', '"', '1', ','];

test('any text is read back unchanged, except for an apostrophe before a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...FORMULA_CHARACTERS) })), {
        minLength: 1,
        maxLength: 5,
      }),
      (cells) => {
        const parsedCells = readCsvLine(formatCsvLine(cells));
        expect(parsedCells).toHaveLength(cells.length);
        for (const [index, cell] of cells.entries()) {
          expect(parsedCells[index]?.replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
          expect(parsedCells[index] ?? '').not.toMatch(/(?:^|[;\t\r\n])\s*[=+@＝＋－＠]|^[\t\r\n]|^-(?!\d+(\.\d+)?$)/);
        }
      },
    ),
  );
});

/** Parses a CSV line by RFC 4180, independently of the program. */
function readCsvLine(line: string): string[] {
  const cells: string[] = [];
  let rest = `${line.slice(0, -2)},`;
  while (rest !== '') {
    const quotedCell = /^"((?:[^"]|"")*)",/.exec(rest);
    const match = quotedCell ?? /^([^,]*),/.exec(rest);
    if (!match) throw new Error(`Not a CSV line: ${line}`);
    cells.push(quotedCell ? (match[1] ?? '').replaceAll('""', '"') : (match[1] ?? ''));
    rest = rest.slice(match[0].length);
  }
  return cells;
}
