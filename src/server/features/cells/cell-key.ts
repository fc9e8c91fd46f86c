import { type CellName, type CellRef, isCell, isCellPage } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { Failure } from '#domain/failures.ts';

/** The default of a text. @throws Failure no-cell where §2 lists no such text */
export function defaultTextOf(key: CellRef): string {
  const { page } = key;
  if (!isCellPage(page) || !isCell(key)) throw new Failure('no-cell');
  // It is one of that page's: it was looked up there.
  return defaultCell(page, key.name as CellName);
}
