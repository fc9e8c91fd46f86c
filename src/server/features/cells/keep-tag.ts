import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { keepVersion, lockedText } from './current-text.ts';

const KEY = { page: 'home', name: 'tag' };

/**
 * Keeps the tag that an organisation is about to get by its settings among the versions of home/tag, which is the same
 * text (decisions §1). The tag itself is the caller's to write, in this transaction.
 */
export async function keepTag(
  tx: Transaction<Tables>,
  {
    orgId,
    userId,
    tag,
    at,
  }: { readonly orgId: string; readonly userId: string; readonly tag: string; readonly at: Date },
): Promise<void> {
  const current = await lockedText(tx, orgId, KEY);
  if (current instanceof Failure || current.markdown === tag) return;
  await keepVersion(tx, { orgId, key: KEY, userId }, current, { markdown: tag, isDefault: false, at });
}
