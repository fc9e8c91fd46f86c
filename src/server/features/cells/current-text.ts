import type { Transaction } from 'kysely';
import { type CellRef, isTag } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { defaultTextOf } from './cell-key.ts';
import { cellOfOrg, insertVersion, lastVersion, lockedOrg, type VersionRow } from './cells.store.ts';

/** What a cell shows now, and the version that was saved last, which may be an older text than that. */
export type CurrentText = {
  readonly markdown: string;
  readonly isDefault: boolean;
  /** When it was saved; of a default, and of a tag, when its organisation was made. */
  readonly since: Date;
  readonly last: VersionRow | undefined;
};

/** Who changes which text of which organisation. */
export type TextPlace = { readonly orgId: string; readonly key: CellRef; readonly userId: string };

/** Reads a text that nobody else changes until the transaction ends. @returns Failure org-not-found */
export async function lockedText(tx: Transaction<Tables>, orgId: string, key: CellRef): Promise<CurrentText | Failure> {
  const org = await lockedOrg(tx, orgId);
  if (!org) return new Failure('org-not-found');
  const last = await lastVersion(tx, orgId, key);
  const ofDefault = { markdown: defaultTextOf(key), isDefault: true, since: org.created_at, last };
  if (isTag(key)) return { ...ofDefault, markdown: org.tag, isDefault: org.tag === ofDefault.markdown };
  const row = await cellOfOrg(tx, orgId, key);
  return row ? { markdown: row.markdown, isDefault: false, since: row.created_at, last } : ofDefault;
}

/**
 * Keeps a text that takes the place of the current one, with who and when (decisions §5). The current one is kept
 * first where no version tells of it: a default, or what was written by another way than this.
 * @returns when it counts as saved: after the one before it, whatever the clock says
 */
export async function keepVersion(
  tx: Transaction<Tables>,
  { orgId, key, userId }: TextPlace,
  current: CurrentText,
  next: { readonly markdown: string; readonly isDefault: boolean; readonly at: Date },
): Promise<Date> {
  const { last } = current;
  const ofCell = { org_id: orgId, page: key.page, name: key.name };
  let before = last?.created_at;
  if (last?.markdown !== current.markdown) {
    before = after(before, last ? next.at : current.since);
    const { markdown, isDefault } = current;
    await insertVersion(tx, {
      ...ofCell,
      id: newId(),
      markdown,
      is_default: isDefault,
      user_id: null,
      created_at: before,
    });
  }
  const saved = after(before, next.at);
  const { markdown, isDefault } = next;
  await insertVersion(tx, {
    ...ofCell,
    id: newId(),
    markdown,
    is_default: isDefault,
    user_id: userId,
    created_at: saved,
  });
  return saved;
}

/** A list by time keeps its order only where no two have the same. */
function after(before: Date | undefined, time: Date): Date {
  return before && before >= time ? new Date(before.getTime() + 1) : time;
}
