import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import { type CellRef, isTag } from '#domain/cells.ts';
import type { VersionRow } from './cells.store.ts';

type ShownText = Pick<Cell, 'markdown' | 'html' | 'isDefault'> & { readonly since: Date };

/** A text as everybody sees it; when a tag was changed is not kept with it. */
export function presentText(key: CellRef, { markdown, html, isDefault, since }: ShownText): Cell {
  const createdTimestamp = isDefault || isTag(key) ? null : since.toISOString();
  return { page: key.page, name: key.name, markdown, html, isDefault, createdTimestamp };
}

/** For the eyes of the organisation's editors. */
export function presentVersion(row: VersionRow): CellVersion {
  return {
    id: row.id,
    markdown: row.markdown,
    isDefault: row.is_default,
    savedBy: writerOf(row) ?? null,
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** Who saved it, by name or by address; nothing where that is not known any more. */
export function writerOf({ writer_name, writer_email }: VersionRow): string | undefined {
  return writer_name || writer_email || undefined;
}
