import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { photoSizeFailure } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { saveWithPhoto } from '#server/entities/photos.ts';
import { presentPicture } from '#server/entities/present-profile.ts';
import type { UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { addField } from '#server/http/problems.ts';
import { changeOrg, lockOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs'>;

/**
 * Sets an organization's header photo and deletes the previous photo's files.
 * @returns Failure org-not-found, no-file, or for an invalid photo
 */
export async function replaceHeader(
  deps: Deps,
  orgId: OrgId,
  bytes: Buffer | UploadedFile | undefined,
): Promise<{ photoURL: string } | Failure> {
  if (!bytes || bytes.length === 0) return new Failure('no-file', { field: 'file' });
  const failure = addField('file', photoSizeFailure(bytes.length));
  if (failure) return failure;
  return saveWithPhoto(deps, bytes, async (storedPhoto) => {
    const photo = storedPhoto ?? null;
    const exists = await inTransaction(deps.db, (tx) => saveHeader(tx, deps, orgId, photo));
    return exists ? { photoURL: presentPicture(photo)?.url ?? '' } : new Failure('org-not-found');
  });
}

/** Removes the header photo, so that pages show the default picture. @returns Failure org-not-found */
export async function removeHeader(deps: Deps, orgId: OrgId): Promise<Record<string, never> | Failure> {
  const exists = await inTransaction(deps.db, (tx) => saveHeader(tx, deps, orgId, null));
  return exists ? {} : new Failure('org-not-found');
}

/** @returns whether the organization exists */
async function saveHeader(
  tx: Transaction<Tables>,
  { jobs }: Deps,
  orgId: OrgId,
  photo: StoredPhoto | null,
): Promise<boolean> {
  const org = await lockOrg(tx, orgId);
  if (!org) return false;
  if (org.photo) await jobs.enqueue(tx, removePicture, { key: org.photo.key });
  await changeOrg(tx, orgId, { photo: photo && JSON.stringify(photo) });
  return true;
}
