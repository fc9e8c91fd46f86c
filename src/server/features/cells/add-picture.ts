import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { photoSizeFailure } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { presentPicture } from '#server/profiles/present-profile.ts';
import { pictureAddress } from './text-pictures.ts';

/**
 * Keeps a picture for a text, made safe as every photo is. It is shown once a text that names its address is saved.
 * @returns Failure org-not-found, or what is wrong with the picture
 */
export async function addPicture(
  { db, pictures }: Pick<AppDeps, 'db' | 'pictures'>,
  orgId: string,
  bytes: Buffer | undefined,
): Promise<Answer<'addPicture'> | Failure> {
  if (!(await findOrg(db, orgId))) return new Failure('org-not-found');
  const refusal = aboutField('file', photoSizeFailure(bytes?.length ?? 0));
  if (refusal || !bytes) return refusal ?? new Failure('no-file', { field: 'file' });
  const photo = await pictures.keep(bytes);
  if (photo instanceof Failure) return aboutField('file', photo) ?? photo;
  const picture = presentPicture(photo);
  return picture ? { address: pictureAddress(picture), picture } : new Failure('photo-unreadable', { field: 'file' });
}
