import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import {
  CELL_PAGES,
  CELLS,
  type CellName,
  type CellPage,
  type CellRef,
  cellNameIn,
  isCell,
  isOrgTag,
  isTag,
  splitCellName,
} from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { Failure } from '#domain/failures.ts';
import { LANGUAGES, type Language } from '#messages';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { type ListPage, listPage } from '#server/http/list-page.ts';
import { type CellRow, cellsOfOrg, type VersionRow, versionsPage } from './cells.store.ts';

export type CellFilter = {
  readonly page?: string | undefined;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
};

/** An organization's cells in a language: its own text, or what stands in for it. */
export async function readCells(db: Database, org: OrgFacts, filter: CellFilter): Promise<Cell[]> {
  const own = await cellsOfOrg(db, org.id);
  const { language = LANGUAGES[0] } = filter;
  const cells = CELL_PAGES.flatMap((page) =>
    CELLS[page]
      .filter((name) => (filter.page ?? page) === page && (filter.name ?? name) === name)
      .map(async (name) => {
        const rowIn = (other: Language) =>
          own.find((cell) => cell.page === page && cell.name === cellNameIn(name, other));
        const row = isOrgTag({ page, name: cellNameIn(name, language) }) ? undefined : rowIn(language);
        if (row) return fromRow(row);
        const first = isTag({ page, name }) ? org.tag : rowIn(LANGUAGES[0])?.markdown;
        return fromText({ page, name, language }, first);
      }),
  );
  return Promise.all(cells);
}

type CellText = { readonly page: CellPage; readonly name: CellName; readonly language: Language };

/** A text that stands in for one in another language, or a default. */
export type StandIn = Pick<Cell, 'markdown' | 'language' | 'isDefault'>;

/**
 * What a cell shows that has no text of its own in a language (decisions §7): in the first one, the default; in others, the
 * organization's own text in the first, or else the default of the language.
 * @param first the organization's text in the first language, if it is stored
 */
export function fallbackText(
  { page, name, language }: { readonly page: string; readonly name: string; readonly language: Language },
  first: string | undefined,
): StandIn {
  // The caller has checked that there is such a cell.
  const textIn = (other: Language) => defaultCell(page as CellPage, name as CellName, other);
  const isOwn = language !== LANGUAGES[0] && first !== undefined && first !== textIn(LANGUAGES[0]);
  if (isOwn) return { markdown: first, language: LANGUAGES[0], isDefault: false };
  return { markdown: textIn(language), language, isDefault: true };
}

function fromRow({ page, name, markdown, html, created_at }: CellRow): Cell {
  return { page, ...splitCellName(name), markdown, html, isDefault: false, createdTimestamp: created_at.toISOString() };
}

async function fromText(cell: CellText, first: string | undefined): Promise<Cell> {
  const { page, name, language } = cell;
  // home/tag is stored on the organization (decisions §1), and may be the default.
  const text =
    isOrgTag({ page, name: cellNameIn(name, language) }) && first !== undefined
      ? { markdown: first, language, isDefault: first === defaultCell(page, name, language) }
      : fallbackText(cell, first);
  return { page, name, ...text, html: await renderedStandIn(text), createdTimestamp: null };
}

const rendered = new Map<string, string>();

/** The defaults never change while the program runs, so each is rendered once. */
export async function renderedStandIn({ markdown, isDefault }: StandIn): Promise<string> {
  const known = isDefault ? rendered.get(markdown) : undefined;
  if (known !== undefined) return known;
  // Texts of editors are rendered when they are saved, in a process of their own: this one may never load the renderer.
  const { renderMarkdown } = await import('#server/gateways/texts/markdown.ts');
  const html = renderMarkdown(markdown);
  if (isDefault) rendered.set(markdown, html);
  return html;
}

/** A cell's saved versions, newest first. @returns Failure no-cell */
export async function readVersions(
  db: Database,
  orgId: string,
  key: CellRef,
  page: Page,
): Promise<ListPage<CellVersion[]> | Failure> {
  if (!isCell(key)) return new Failure('no-cell');
  const rows = await versionsPage(db.kysely, orgId, key, { ...page, max: page.max + 1 });
  return listPage(rows, page.max, presentVersion);
}

type SavedText = Pick<Cell, 'markdown' | 'html' | 'isDefault'> & {
  readonly since: Date;
  /** What the cell shows without a text of its own. */
  readonly fallback: StandIn;
};

/** The tag is not dated. */
export function presentCell(key: CellRef, { markdown, html, isDefault, since, fallback }: SavedText): Cell {
  const text = { page: key.page, ...splitCellName(key.name), markdown, html };
  if (isDefault) return { ...text, ...fallback, createdTimestamp: null };
  return { ...text, isDefault, createdTimestamp: isOrgTag(key) ? null : since.toISOString() };
}

function presentVersion(row: VersionRow): CellVersion {
  return {
    id: row.id,
    markdown: row.markdown,
    isDefault: row.is_default,
    savedBy: writerOf(row) ?? null,
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** The name or email of who saved it; undefined once the account is deleted. */
export function writerOf({ writer_name, writer_email }: VersionRow): string | undefined {
  return writer_name || writer_email || undefined;
}
