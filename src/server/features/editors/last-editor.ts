import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { lockedFellowEditors } from './editors.store.ts';

/** Whether an organisation would have no editor left without this person. */
export async function isLastEditorSomewhere(tx: Transaction<Tables>, userId: string): Promise<boolean> {
  const editors = await lockedFellowEditors(tx, userId);
  const shared = new Set(editors.filter(({ user_id }) => user_id !== userId).map(({ org_id }) => org_id));
  return editors.some(({ org_id }) => !shared.has(org_id));
}
