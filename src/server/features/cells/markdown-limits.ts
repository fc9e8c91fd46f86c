import { ITEMS_MAXIMUM, MARKS_MAXIMUM, NESTING_MAXIMUM } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';
import { markdownProcessor } from './markdown.ts';

/**
 * Why a text cannot be rendered. The renderer is recursive, and quadratic in the marks of a paragraph and the lines of a
 * list, so that an extreme text could block the server.
 * @returns Failure text-too-nested, text-too-many-items, text-too-many-marks
 */
export function markdownFailure(markdown: string): Failure | undefined {
  const nested = new Failure('text-too-nested', { most: NESTING_MAXIMUM });
  const opened = markdown.split(LINE_END).map(openedBy);
  if (opened.some((count) => count > NESTING_MAXIMUM)) return nested;
  const items = opened.reduce((sum, count) => sum + count, 0);
  if (items > ITEMS_MAXIMUM) return new Failure('text-too-many-items', { most: formatWhole(ITEMS_MAXIMUM) });
  if (hasTooManyMarks(markdown)) return new Failure('text-too-many-marks', { most: formatWhole(MARKS_MAXIMUM) });
  return depthOf(markdownProcessor.parse(markdown)) > LEVELS_PER_MARK * NESTING_MAXIMUM ? nested : undefined;
}

/** A list adds two levels to the tree: the list and its item. */
const LEVELS_PER_MARK = 2;
const LINE_END = /\r\n|\n|\r/;
/** The start of a quotation or list, at the start of a line. */
const OPENING = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
/** Marks that can start or end something within a paragraph. */
const MARK = /[*_~]+|[[\]]/g;

/** How many lists and quotations a line begins, counted to one above the maximum. */
function openedBy(line: string): number {
  let opened = 0;
  OPENING.lastIndex = 0;
  while (opened <= NESTING_MAXIMUM && OPENING.test(line)) opened += 1;
  return opened;
}

/** Whether a paragraph, which ends at an empty line, has too many marks. */
function hasTooManyMarks(markdown: string): boolean {
  let marks = 0;
  return markdown.split(LINE_END).some((line) => {
    if (line.trim() === '') marks = 0;
    marks += line.match(MARK)?.length ?? 0;
    return marks > MARKS_MAXIMUM;
  });
}

type Tree = ReturnType<typeof markdownProcessor.parse>;
type TreeNode = Tree | Tree['children'][number];

/** Not recursive, or it could overflow the stack itself. */
function depthOf(tree: Tree): number {
  let level: readonly TreeNode[] = [tree];
  let depth = 0;
  while (level.length > 0) {
    level = level.flatMap((node): readonly TreeNode[] => ('children' in node ? node.children : []));
    depth += 1;
  }
  return depth;
}
