import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import {
  CELL_PAGES,
  CELLS,
  type CellName,
  type CellPage,
  type CellRef,
  isCell,
  isOrgTag,
  isTag,
  splitCellName,
  storedCellName,
} from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { LANGUAGES, type Language } from '#messages';
import type { Database } from '#server/db/connection.ts';
import type { PageRequest } from '#server/db/keyset.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { type CellRow, listCells, listVersions, type VersionRow } from './cells.store.ts';

export type CellFilter = {
  readonly page?: string | undefined;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
};

/** Reads an organization's cells in a language. A cell without a saved text gets its fallback text. */
export async function readCells(
  { db, parent: { contactEmail: email } }: Pick<AppDeps, 'db' | 'parent'>,
  org: OrgFacts,
  filter: CellFilter,
): Promise<Cell[]> {
  const rows = await listCells(db, org.id);
  const { language = LANGUAGES[0] } = filter;
  const cells = CELL_PAGES.flatMap((page) =>
    CELLS[page]
      .filter((name) => (filter.page ?? page) === page && (filter.name ?? name) === name)
      .map(async (name) => {
        const findRow = (locale: Language) =>
          rows.find((cell) => cell.page === page && cell.name === storedCellName(name, locale));
        const row = isOrgTag({ page, name: storedCellName(name, language) }) ? undefined : findRow(language);
        if (row) return presentRow(row);
        const english = isTag({ page, name }) ? org.tag : findRow(LANGUAGES[0])?.markdown;
        return presentFallback({ orgId: org.id, page, name, language, email }, english);
      }),
  );
  return Promise.all(cells);
}

type CellText = {
  readonly orgId: OrgId;
  readonly page: CellPage;
  readonly name: CellName;
  readonly language: Language;
  /** The contact address, which some defaults quote. */
  readonly email: string;
};

/** Text of a cell without a saved text: the organization's English text, or a default. */
export type FallbackText = Pick<Cell, 'markdown' | 'language' | 'isDefault'>;

/**
 * Returns the fallback for a cell that has no saved text in a language (decisions §7): the organization's English text if
 * the organization changed it and the language isn't English, or else the language's default.
 * @param english the organization's saved English text
 */
export function getFallbackText(cell: CellText, english: string | undefined): FallbackText {
  const { language } = cell;
  const getDefault = (locale: Language) => getDefaultText(cell, locale);
  const isCustom = language !== LANGUAGES[0] && english !== undefined && english !== getDefault(LANGUAGES[0]);
  if (isCustom) return { markdown: english, language: LANGUAGES[0], isDefault: false };
  return { markdown: getDefault(language), language, isDefault: true };
}

function getDefaultText({ orgId, page, name, email }: CellText, locale: Language): string {
  const helpPath = localizeAddress(pagePath('help-page', { orgid: orgId }), locale);
  return defaultCell(page, name, { email, helpPath, locale });
}

function presentRow({ page, name, markdown, html, created_at }: CellRow): Cell {
  return { page, ...splitCellName(name), markdown, html, isDefault: false, createdTimestamp: created_at.toISOString() };
}

async function presentFallback(cell: CellText, english: string | undefined): Promise<Cell> {
  const { page, name, language } = cell;
  // The cell home/tag is stored on the organization (decisions §1), even while it equals the default.
  const text =
    isOrgTag({ page, name: storedCellName(name, language) }) && english !== undefined
      ? { markdown: english, language, isDefault: english === getDefaultText(cell, language) }
      : getFallbackText(cell, english);
  return { page, name, ...text, html: await renderFallback(text), createdTimestamp: null };
}

const defaultHtmlCache = new Map<string, string>();

/** Renders a fallback text. Default texts never change while the program runs, so each is rendered once. */
export async function renderFallback({ markdown, isDefault }: FallbackText): Promise<string> {
  const cachedHtml = isDefault ? defaultHtmlCache.get(markdown) : undefined;
  if (cachedHtml !== undefined) return cachedHtml;
  // Loaded only when needed: a separate process renders the texts that editors save.
  const { renderMarkdown } = await import('#server/gateways/markdown/markdown.ts');
  const html = renderMarkdown(markdown);
  if (isDefault) defaultHtmlCache.set(markdown, html);
  return html;
}

/** Reads a cell's saved versions, newest first. @returns Failure no-cell */
export async function readVersions(
  db: Database,
  orgId: OrgId,
  key: CellRef,
  page: PageRequest,
): Promise<ListPage<CellVersion[]> | Failure> {
  if (!isCell(key)) return new Failure('no-cell');
  const rows = await listVersions(db.kysely, orgId, key, { ...page, max: page.max + 1 });
  return createListPage(rows, page.max, presentVersion);
}

type SavedText = Pick<Cell, 'markdown' | 'html' | 'isDefault'> & {
  readonly savedAt: Date;
  readonly fallback: FallbackText;
};

/** Tags and default texts have no date. */
export function presentCell(key: CellRef, { markdown, html, isDefault, savedAt, fallback }: SavedText): Cell {
  const text = { page: key.page, ...splitCellName(key.name), markdown, html };
  if (isDefault) return { ...text, ...fallback, createdTimestamp: null };
  return { ...text, isDefault, createdTimestamp: isOrgTag(key) ? null : savedAt.toISOString() };
}

function presentVersion(row: VersionRow): CellVersion {
  return {
    id: row.id,
    markdown: row.markdown,
    isDefault: row.is_default,
    savedBy: getAuthorName(row) ?? null,
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** Returns the author's name or email; undefined if the account was deleted. */
export function getAuthorName({ author_name, author_email }: VersionRow): string | undefined {
  return author_name || author_email || undefined;
}
