import type { Transaction } from 'kysely';
import type { Cell } from '#contract/schemas/cells.ts';
import type { SentBody } from '#contract/schemas.ts';
import { isTag, tidyCell } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { defaultTextOf } from './cell-key.ts';
import { presentText, writerOf } from './cells.present.ts';
import { deleteCell, putCell, putTag } from './cells.store.ts';
import { type CurrentText, keepVersion, lockedText, type TextPlace } from './current-text.ts';
import { renderText } from './render-text.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;
/** A text to be written, rendered already. */
type NextText = { readonly markdown: string; readonly html: string; readonly isDefault: boolean; readonly at: Date };

/**
 * Saves a text in the place of the one that its writer began from. Where somebody else has saved another one meanwhile,
 * nothing is saved, and that one is told (decisions §5). The same text again is no change.
 * @returns Failure no-cell, org-not-found, text-changed, or what is wrong with the text
 */
export async function saveCell(
  { db, now }: Deps,
  place: TextPlace,
  { markdown: typed, basedOn }: SentBody<'saveCell'>,
): Promise<Cell | Failure> {
  const standard = defaultTextOf(place.key);
  const markdown = tidyCell(place.key, typed);
  const html = renderText(place.key, markdown);
  if (html instanceof Failure) return aboutField('markdown', html) ?? html;
  return inTransaction(db, async (tx) => {
    const current = await lockedText(tx, place.orgId, place.key);
    if (current instanceof Failure) return current;
    if (current.markdown === markdown) return presentText(place.key, { ...current, html });
    if (current.markdown !== basedOn) return changedMeanwhile(current);
    return write(tx, place, current, { markdown, html, isDefault: markdown === standard, at: now() });
  });
}

/** Brings the default text back; the one before it is kept. @returns Failure no-cell, org-not-found */
export async function resetCell({ db, now }: Deps, place: TextPlace): Promise<Cell | Failure> {
  const markdown = defaultTextOf(place.key);
  const html = renderText(place.key, markdown);
  if (html instanceof Failure) return html;
  return inTransaction(db, async (tx) => {
    const current = await lockedText(tx, place.orgId, place.key);
    if (current instanceof Failure) return current;
    if (current.isDefault) return presentText(place.key, { ...current, html });
    return write(tx, place, current, { markdown, html, isDefault: true, at: now() });
  });
}

async function write(tx: Transaction<Tables>, place: TextPlace, current: CurrentText, next: NextText): Promise<Cell> {
  const { orgId, key, userId } = place;
  const since = await keepVersion(tx, place, current, next);
  const { markdown, html, isDefault } = next;
  if (isTag(key)) await putTag(tx, orgId, markdown);
  else if (isDefault) await deleteCell(tx, orgId, key);
  else await putCell(tx, { org_id: orgId, ...key, markdown, html, user_id: userId, created_at: since });
  return presentText(key, { markdown, html, isDefault, since });
}

/** Who was faster, and with what. */
function changedMeanwhile({ markdown, last, since }: CurrentText): Failure {
  const told = last?.markdown === markdown ? last : undefined;
  return new Failure('text-changed', {
    savedBy: (told && writerOf(told)) ?? 'Somebody',
    savedTimestamp: (told?.created_at ?? since).toISOString(),
    markdown,
    field: 'markdown',
  });
}
