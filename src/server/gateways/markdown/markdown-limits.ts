import {
  MAX_CELL_LINES,
  MAX_HTML_LENGTH,
  MAX_LIST_LINES,
  MAX_NESTING,
  MAX_PARAGRAPH_MARKS,
  MAX_TABLE_CELLS,
} from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';
import { markdownProcessor } from './markdown.ts';

/**
 * Checks whether Markdown can be rendered within the limits. The renderer is recursive, and quadratic in the number of lines
 * and in the marks of a paragraph.
 * @returns Failure text-too-many-lines, text-too-nested, text-too-many-items, text-too-many-marks, text-too-many-cells,
 * html-too-long
 */
export function markdownFailure(markdown: string): Failure | undefined {
  const nestingFailure = new Failure('text-too-nested', { max: MAX_NESTING });
  const lines = markdown.split(LINE_END);
  if (lines.length > MAX_CELL_LINES) return new Failure('text-too-many-lines', { max: formatWhole(MAX_CELL_LINES) });
  const blockCounts = lines.map(countBlockStarts);
  if (blockCounts.some((count) => count > MAX_NESTING)) return nestingFailure;
  const items = blockCounts.reduce((sum, count) => sum + count, 0);
  if (items > MAX_LIST_LINES) return new Failure('text-too-many-items', { max: formatWhole(MAX_LIST_LINES) });
  if (hasTooManyMarks(lines)) return new Failure('text-too-many-marks', { max: formatWhole(MAX_PARAGRAPH_MARKS) });
  const { depth, cells, longestAddress, references } = measureTree(markdownProcessor.parse(markdown));
  if (depth > LEVELS_PER_MARK * MAX_NESTING) return nestingFailure;
  if (cells > MAX_TABLE_CELLS) return new Failure('text-too-many-cells', { max: formatWhole(MAX_TABLE_CELLS) });
  return longestAddress * references > MAX_HTML_LENGTH ? new Failure('html-too-long') : undefined;
}

/** A list adds two levels to the tree: the list and its item. */
const LEVELS_PER_MARK = 2;
const LINE_END = /\r\n|\n|\r/;
/** The start of a quotation or list, at the start of a line. */
const BLOCK_START = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
/** Marks that can start or end an element within a paragraph. */
const MARK = /[*_~]+|[[\]]/g;

/** Counts the lists and quotations that a line begins, up to one above the maximum. */
function countBlockStarts(line: string): number {
  let count = 0;
  BLOCK_START.lastIndex = 0;
  while (count <= MAX_NESTING && BLOCK_START.test(line)) count += 1;
  return count;
}

/** @returns whether a paragraph, which ends at an empty line, has too many marks */
function hasTooManyMarks(lines: readonly string[]): boolean {
  let marks = 0;
  return lines.some((line) => {
    if (line.trim() === '') marks = 0;
    marks += line.match(MARK)?.length ?? 0;
    return marks > MAX_PARAGRAPH_MARKS;
  });
}

type Tree = ReturnType<typeof markdownProcessor.parse>;
type TreeNode = Tree | Tree['children'][number];

/** Measures a tree level by level. Recursion could overflow the stack. */
function measureTree(tree: Tree) {
  let level: readonly TreeNode[] = [tree];
  const size = { depth: 0, cells: 0, longestAddress: 0, references: 0 };
  while (level.length > 0) {
    size.depth += 1;
    for (const node of level) {
      if (node.type === 'table') size.cells += node.children.length * (node.align?.length ?? 0);
      if (node.type === 'linkReference' || node.type === 'imageReference') size.references += 1;
      if (node.type === 'definition') {
        size.longestAddress = Math.max(size.longestAddress, node.url.length + (node.title?.length ?? 0));
      }
    }
    level = level.flatMap((node): readonly TreeNode[] => ('children' in node ? node.children : []));
  }
  return size;
}
