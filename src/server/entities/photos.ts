import { sql } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import { isUnavailable, retryUntilAvailable } from '#server/db/unavailable.ts';
import type { AppDeps } from '#server/deps.ts';
import type { UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { isPublicStory } from './profile-fields.ts';

/** `photoToken` is null for an organization's header. */
export type PhotoAccess = { readonly isPublic: boolean; readonly photoToken: string | null };

/** Finds out if a story's or organization's photo is public, and its token; undefined if there is no such photo. */
export async function findPhotoAccess({ kysely }: Database, key: string): Promise<PhotoAccess | undefined> {
  const selectAccess = (table: 'offsetters' | 'awardees' | 'installers') => sql<PhotoAccess>`
    select photo_token as "photoToken", ${isPublicStory(table)} as "isPublic" from ${sql.table(table)} where photo ->> 'key' = ${key}`;
  const { rows } = await sql<PhotoAccess>`
    ${selectAccess('offsetters')} union all ${selectAccess('awardees')} union all ${selectAccess('installers')}
    union all select null, true from orgs where photo ->> 'key' = ${key}`.execute(kysely);
  return rows[0];
}

/**
 * Stores a photo, then saves the story or organization that it belongs to. Deletes the photo's files if saving fails.
 * @returns the result of `save`, or the photo's failure
 */
export async function saveWithPhoto<Result>(
  { db, pictures }: Pick<AppDeps, 'db' | 'pictures'>,
  file: Buffer | UploadedFile | undefined,
  save: (photo: StoredPhoto | undefined) => Promise<Result>,
): Promise<Result | Failure> {
  const photo = file && (await pictures.store(file));
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  if (!photo) return save(undefined);
  const discardIfUnused = async () => {
    if (!(await findPhotoAccess(db, photo.key))) await pictures.discard(photo.key);
  };
  try {
    const result = await save(photo);
    if (result instanceof Failure) await pictures.discard(photo.key).catch(() => undefined);
    return result;
  } catch (error) {
    // If the connection broke, the photo may have been saved anyway: check when the database is back.
    const cleanup = retryUntilAvailable(discardIfUnused).catch(() => undefined);
    if (!isUnavailable(error)) await cleanup;
    throw error;
  }
}
