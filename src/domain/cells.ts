import { LANGUAGES, type Language } from '#messages';
import { normalizeTag } from './org.ts';

/** The editable cells of §2, of the about page, and of the help page, by page and name. */
export const CELLS = {
  home: ['tag', 'intro', 'community', 'city'],
  offsetters: ['intro'],
  awardees: ['intro'],
  installers: ['intro'],
  faq: ['questions'],
  donate: ['intro', 'checks'],
  about: ['intro', 'people'],
  help: ['pays', 'qualify', 'ready', 'apply', 'contact'],
  checkout: ['ask', 'thanks'],
} as const;

/** Number of cells per organization. */
export const CELL_COUNT = Object.values(CELLS).flat().length;

export type CellPage = keyof typeof CELLS;
export type CellName<P extends CellPage = CellPage> = (typeof CELLS)[P][number];

/** A cell in a request. It may not exist. */
export type CellRef = { readonly page: string; readonly name: string };

export const CELL_PAGES: readonly CellPage[] = Object.keys(CELLS).filter(isCellPage);

export function isCellPage(page: string): page is CellPage {
  return Object.hasOwn(CELLS, page);
}

export function isCell({ page, name }: CellRef): boolean {
  const names: readonly string[] = isCellPage(page) ? CELLS[page] : [];
  return names.includes(splitCellName(name).name);
}

/**
 * Stored name of a cell's text: in the default language the name in §2; in others, followed by the language, as in
 * "intro.es" (decisions §7). Releases without translations treat such names as unknown cells.
 */
export function storedCellName(name: string, language: Language): string {
  return language === LANGUAGES[0] ? name : `${name}.${language}`;
}

/** The language of a cell's text, and the cell's name in §2. */
export function splitCellName(storedName: string): { readonly name: string; readonly language: Language } {
  const language = LANGUAGES.slice(1).find((candidate) => storedName.endsWith(`.${candidate}`));
  return language
    ? { name: storedName.slice(0, -language.length - 1), language }
    : { name: storedName, language: LANGUAGES[0] };
}

/** Matches home/tag, which is one line of plain text in every language. */
export function isTag({ page, name }: CellRef): boolean {
  return page === 'home' && splitCellName(name).name === 'tag';
}

/** Matches home/tag in the default language, which is stored as the organization's tag (decisions §1). */
export function isOrgTag(cell: CellRef): boolean {
  return isTag(cell) && cell.name === 'tag';
}

/** Characters of markdown: four times the longest default. */
export const MAX_CELL_LENGTH = 30_000;
/** Maximum nesting of lists, quotations, and emphasis. Limited because rendering is recursive. */
export const MAX_NESTING = 50;
/** Lines of lists and quotations in a cell; a line in a nested list counts once per level. */
export const MAX_LIST_LINES = 1000;
/** Marks such as * or [ in one paragraph or table. */
export const MAX_PARAGRAPH_MARKS = 1500;
/** Lines in a cell. The longest default has 130. */
export const MAX_CELL_LINES = 2000;
/**
 * Table cells in the Markdown of one cell. Short rows are padded with empty cells, so a few characters could create
 * millions of cells.
 */
export const MAX_TABLE_CELLS = 5000;
/** Characters of HTML. The HTML exceeds ten times the Markdown only if many reference links repeat a long URL. */
export const MAX_HTML_LENGTH = 10 * MAX_CELL_LENGTH;

export function normalizeCell(cell: CellRef, text: string): string {
  return isTag(cell) ? normalizeTag(text) : normalizeLineEndings(text);
}

/** Converts line endings to `\n`. Forms send `\r\n` for each one. */
export function normalizeLineEndings(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
