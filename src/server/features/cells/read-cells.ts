import type { Cell } from '#contract/schemas/cells.ts';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import type { Database } from '#server/db/connection.ts';
import type { OrgFacts } from '#server/orgs/find-org.ts';
import { type CellRow, cellsOfOrg } from './cells.store.ts';
import { renderMarkdown } from './render-markdown.ts';

export type CellFilter = { readonly page?: string | undefined; readonly name?: string | undefined };

/** The texts of an organization: its own, or the default where it has none. */
export async function readCells(db: Database, org: OrgFacts, filter: CellFilter): Promise<Cell[]> {
  const own = await cellsOfOrg(db, org.id);
  return CELL_PAGES.flatMap((page) =>
    CELLS[page]
      .filter((name) => (filter.page ?? page) === page && (filter.name ?? name) === name)
      .map((name) => {
        // home/tag edits org.tag: one store (decisions §1).
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

/** The defaults never change while the program runs, and there are a dozen of them: each is rendered once. */
function renderedDefault(markdown: string): string {
  const html = rendered.get(markdown) ?? renderMarkdown(markdown);
  rendered.set(markdown, html);
  return html;
}
