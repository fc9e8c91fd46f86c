import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import { CELL_PAGES, CELLS, type CellRef, isCell, isTag } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import { renderMarkdown } from '#server/gateways/texts/markdown.ts';
import { type ListPage, listPage } from '#server/list-page.ts';
import type { OrgFacts } from '#server/orgs/find-org.ts';
import { type CellRow, cellsOfOrg, type VersionRow, versionsPage } from './cells.store.ts';

export type CellFilter = { readonly page?: string | undefined; readonly name?: string | undefined };

/** An organization's cells: its own text, or the default. */
export async function readCells(db: Database, org: OrgFacts, filter: CellFilter): Promise<Cell[]> {
  const own = await cellsOfOrg(db, org.id);
  return CELL_PAGES.flatMap((page) =>
    CELLS[page]
      .filter((name) => (filter.page ?? page) === page && (filter.name ?? name) === name)
      .map((name) => {
        // home/tag is stored on the organization (decisions §1).
        if (page === 'home' && name === 'tag')
          return fromText(page, name, org.tag, org.tag === defaultCell(page, name));
        const row = own.find((cell) => cell.page === page && cell.name === name);
        return row ? fromRow(row) : fromText(page, name, defaultCell(page, name), true);
      }),
  );
}

function fromRow({ page, name, markdown, html, created_at }: CellRow): Cell {
  return { page, name, markdown, html, isDefault: false, createdTimestamp: created_at.toISOString() };
}

const rendered = new Map<string, string>();

function fromText(page: string, name: string, markdown: string, isDefault = false): Cell {
  return {
    page,
    name,
    markdown,
    html: isDefault ? renderedDefault(markdown) : renderMarkdown(markdown),
    isDefault,
    createdTimestamp: null,
  };
}

/** The defaults never change while the program runs, so each is rendered once. */
export function renderedDefault(markdown: string): string {
  const html = rendered.get(markdown) ?? renderMarkdown(markdown);
  rendered.set(markdown, html);
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

type CellText = Pick<Cell, 'markdown' | 'html' | 'isDefault'> & { readonly since: Date };

/** The tag is not dated. */
export function presentCell(key: CellRef, { markdown, html, isDefault, since }: CellText): Cell {
  const createdTimestamp = isDefault || isTag(key) ? null : since.toISOString();
  return { page: key.page, name: key.name, markdown, html, isDefault, createdTimestamp };
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
