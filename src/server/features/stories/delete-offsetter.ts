import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { deleteOffsetterRow } from './offsetters.store.ts';
import type { OffsetterKey } from './own-offsetter.ts';

/** Takes an offsetter away for good, and then the files of its photo. @returns Failure offsetter-not-found */
export async function deleteOffsetter(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  { orgId, id }: OffsetterKey,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const deleted = await deleteOffsetterRow(tx, orgId, id);
    if (!deleted) return new Failure('offsetter-not-found');
    if (deleted.photo) await jobs.enqueue(tx, 'remove-picture', { key: deleted.photo.key });
    return {};
  });
}
