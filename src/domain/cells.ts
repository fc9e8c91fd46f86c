/** The editable texts of §2, by page and name. `home/tag` edits the organisation's tag: one store (decisions §1). */
export const CELLS = {
  home: ['tag', 'intro', 'community', 'city'],
  offsetters: ['intro'],
  awardees: ['intro'],
  installers: ['intro'],
  faq: ['questions'],
  donate: ['intro', 'checks'],
  checkout: ['ask', 'thanks'],
} as const;

export type CellPage = keyof typeof CELLS;
export type CellName<P extends CellPage = CellPage> = (typeof CELLS)[P][number];
export type CellKey = { [P in CellPage]: { page: P; name: CellName<P> } }[CellPage];

export const CELL_PAGES: readonly CellPage[] = Object.keys(CELLS).filter(isCellPage);

export function isCellPage(page: string): page is CellPage {
  return Object.hasOwn(CELLS, page);
}
