import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { lockedAdmins } from './users.store.ts';

/** Whether this person is the only one whose admin's power is real. Of two who go at once, the second one is. */
export async function isLastAdmin(tx: Transaction<Tables>, userId: string): Promise<boolean> {
  const admins = await lockedAdmins(tx);
  return admins.length === 1 && admins[0] === userId;
}
