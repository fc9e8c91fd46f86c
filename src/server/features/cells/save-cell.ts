import type { Transaction } from 'kysely';
import type { Cell } from '#contract/schemas/cells.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { type CellName, type CellPage, type CellRef, isCell, normalizeCell, splitCellName } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import { findLatestVersion, findText, insertVersion, lockOrg, saveText, type VersionRow } from './cells.store.ts';
import { type FallbackText, getAuthorName, getFallbackText, presentCell, renderFallback } from './read-cells.ts';
import { renderCell } from './render-cell.ts';

type Deps = Pick<AppDeps, 'db' | 'markdownRenderer' | 'now' | 'parent'>;
type NewText = {
  readonly markdown: string;
  readonly html: string;
  readonly isDefault: boolean;
  readonly savedAt: Date;
};

/**
 * Saves a cell's text, unless someone else saved a different text since this edit began (decisions §5). Saving the same
 * text changes nothing.
 * @returns Failure no-cell, org-not-found, text-changed (with the newer text), or for an invalid text
 */
export async function saveCell(
  { db, markdownRenderer, now, parent }: Deps,
  edit: CellEdit,
  { markdown: input, basedOn }: BodyInput<'saveCell'>,
): Promise<Cell | Failure> {
  if (!isCell(edit.key)) return new Failure('no-cell');
  const markdown = normalizeCell(edit.key, input);
  const html = await renderCell({ markdownRenderer }, { ...edit, markdown });
  if (html instanceof Failure) return addField('markdown', html) ?? html;
  return inTransaction(db, async (tx) => {
    const current = await lockText(tx, parent, edit);
    if (current instanceof Failure) return current;
    if (current.markdown === markdown) return presentCell(edit.key, { ...current, html });
    if (current.markdown !== basedOn) return textChangedFailure(current, edit.userId);
    return saveNewText(tx, edit, current, {
      markdown,
      html,
      isDefault: markdown === current.fallback.markdown,
      savedAt: now(),
    });
  });
}

/** Restores the default text; the current one stays in the history. @returns Failure no-cell, org-not-found */
export async function resetCell(
  { db, now, parent }: Omit<Deps, 'markdownRenderer'>,
  edit: CellEdit,
): Promise<Cell | Failure> {
  if (!isCell(edit.key)) return new Failure('no-cell');
  return inTransaction(db, async (tx) => {
    const current = await lockText(tx, parent, edit);
    if (current instanceof Failure) return current;
    const { markdown } = current.fallback;
    const html = await renderFallback(current.fallback);
    if (current.isDefault) return presentCell(edit.key, { ...current, html });
    return saveNewText(tx, edit, current, { markdown, html, isDefault: true, savedAt: now() });
  });
}

async function saveNewText(
  tx: Transaction<Tables>,
  edit: CellEdit,
  current: CurrentText,
  newText: NewText,
): Promise<Cell> {
  const { orgId, key, userId } = edit;
  const savedAt = await saveVersion(tx, edit, current, newText);
  const { markdown, html, isDefault } = newText;
  await saveText(tx, orgId, key, { markdown, html, isDefault, user_id: userId, created_at: savedAt });
  return presentCell(key, { markdown, html, isDefault, savedAt, fallback: current.fallback });
}

/** Describes the newer version: its author, time, and text. */
function textChangedFailure({ markdown, latestVersion, savedAt }: CurrentText, userId: UserId): Failure {
  const version = latestVersion?.markdown === markdown ? latestVersion : undefined;
  return new Failure('text-changed', {
    savedBy: (version && getAuthorName(version)) ?? 'Someone',
    isSavedByCaller: version?.user_id === userId ? 1 : 0,
    savedTimestamp: (version?.created_at ?? savedAt).toISOString(),
    markdown,
    field: 'markdown',
  });
}

/** A cell's current text and its latest saved version, which may be older than the text. */
type CurrentText = {
  readonly markdown: string;
  readonly isDefault: boolean;
  readonly fallback: FallbackText;
  /** When the text was saved; for a default or a tag, when the organization was created. */
  readonly savedAt: Date;
  readonly latestVersion: VersionRow | undefined;
};

/** `userId` is the editor's id. */
type CellEdit = { readonly orgId: OrgId; readonly key: CellRef; readonly userId: UserId };

/** @returns Failure org-not-found */
async function lockText(
  tx: Transaction<Tables>,
  parent: Parent,
  { orgId, key }: Omit<CellEdit, 'userId'>,
): Promise<CurrentText | Failure> {
  const org = await lockOrg(tx, orgId);
  if (!org) return new Failure('org-not-found');
  const latestVersion = await findLatestVersion(tx, orgId, key);
  const fallback = await findFallback(tx, parent, orgId, key);
  const text = await findText(tx, orgId, key);
  if (!text) return { markdown: fallback.markdown, isDefault: true, fallback, savedAt: org.created_at, latestVersion };
  const { markdown, savedAt, isAlwaysSaved } = text;
  return { markdown, isDefault: isAlwaysSaved && markdown === fallback.markdown, fallback, savedAt, latestVersion };
}

/**
 * Saves the new text as a version with its author and time (decisions §5). If the current text isn't the latest version,
 * because it is a default or was stored another way, saves it as a version first.
 * @returns the version's time, which is always after the previous version's, even if the clock was set back
 */
async function saveVersion(
  tx: Transaction<Tables>,
  { orgId, key, userId }: CellEdit,
  current: CurrentText,
  newText: Omit<NewText, 'html'>,
): Promise<Date> {
  const { latestVersion } = current;
  const cell = { org_id: orgId, page: key.page, name: key.name };
  let lastTime = latestVersion?.created_at;
  if (latestVersion?.markdown !== current.markdown) {
    lastTime = ensureLater(lastTime, latestVersion ? newText.savedAt : current.savedAt);
    const { markdown, isDefault } = current;
    await insertVersion(tx, {
      ...cell,
      id: newId(),
      markdown,
      is_default: isDefault,
      user_id: null,
      created_at: lastTime,
    });
  }
  const versionTime = ensureLater(lastTime, newText.savedAt);
  const { markdown, isDefault } = newText;
  await insertVersion(tx, {
    ...cell,
    id: newId(),
    markdown,
    is_default: isDefault,
    user_id: userId,
    created_at: versionTime,
  });
  return versionTime;
}

/** Keeps the times of versions distinct, because their order depends on them. */
function ensureLater(previous: Date | undefined, time: Date): Date {
  return previous && previous >= time ? new Date(previous.getTime() + 1) : time;
}

const TAG_CELL = { page: 'home', name: 'tag' };

/**
 * Saves a tag that was changed in the organization's settings as a version of the cell home/tag (decisions §1). The caller
 * updates the organization in the same transaction.
 */
export async function saveTagVersion(
  tx: Transaction<Tables>,
  parent: Parent,
  {
    orgId,
    userId,
    tag,
    savedAt,
  }: { readonly orgId: OrgId; readonly userId: UserId; readonly tag: string; readonly savedAt: Date },
): Promise<void> {
  const current = await lockText(tx, parent, { orgId, key: TAG_CELL });
  if (current instanceof Failure || current.markdown === tag) return;
  await saveVersion(tx, { orgId, key: TAG_CELL, userId }, current, { markdown: tag, isDefault: false, savedAt });
}

async function findFallback(
  tx: Transaction<Tables>,
  { contactEmail }: Parent,
  orgId: OrgId,
  key: CellRef,
): Promise<FallbackText> {
  const { name, language } = splitCellName(key.name);
  const english = (await findText(tx, orgId, { page: key.page, name }))?.markdown;
  // The caller has checked that the cell exists.
  const cell = { orgId, page: key.page as CellPage, name: name as CellName, language, email: contactEmail };
  return getFallbackText(cell, english);
}
