import { Failure } from '#domain/failures.ts';
import { optionalNameFailure } from '#domain/names.ts';
import type { SignedInUser } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { renameEditor } from '#server/features/editors/add-editor.ts';
import { addField } from '#server/http/problems.ts';
import { saveName } from './accounts.store.ts';

/**
 * Changes the user's name, including in their roles. Names on stories and receipts don't change.
 * @returns Failure no-name, name-too-long, text-unprintable, text-with-address, text-like-address
 */
export async function changeName(
  { db }: Pick<AppDeps, 'db'>,
  { userId }: SignedInUser,
  input: string,
): Promise<Record<string, never> | Failure> {
  const name = input.trim();
  const failure = addField('name', name === '' ? new Failure('no-name') : optionalNameFailure(name));
  if (failure) return failure;
  await inTransaction(db, async (tx) => {
    await saveName(tx, userId, name);
    await renameEditor(tx, userId, name);
  });
  return {};
}
