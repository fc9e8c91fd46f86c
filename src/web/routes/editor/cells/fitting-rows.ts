/** The height of a line in the field, in pixels of the page. */
const LINE_HEIGHT = 24;
const FEWEST = 4;
/** About a window: what is longer scrolls. */
const MOST = 28;

/** How many lines a field shows that takes the place of a text of this height in pixels (§4). */
export function fittingRows(height: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.round(height / LINE_HEIGHT)));
}
