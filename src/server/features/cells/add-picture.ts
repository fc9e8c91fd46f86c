import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { photoSizeFailure } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Uploaded } from '#server/gateways/pictures/pictures.ts';
import { pictureAddress } from '#server/gateways/texts/markdown.ts';
import { aboutField } from '#server/http/problems.ts';
import { presentPicture } from '#server/profiles/present-profile.ts';

/**
 * Stores a picture for use in cells.
 * @returns Failure for an invalid picture
 */
export async function addPicture(
  { pictures }: Pick<AppDeps, 'pictures'>,
  bytes: Buffer | Uploaded | undefined,
): Promise<Answer<'addPicture'> | Failure> {
  const refusal = aboutField('file', photoSizeFailure(bytes?.length ?? 0));
  if (refusal || !bytes) return refusal ?? new Failure('no-file', { field: 'file' });
  const photo = await pictures.store(bytes);
  if (photo instanceof Failure) return aboutField('file', photo) ?? photo;
  const picture = presentPicture(photo);
  return picture ? { address: pictureAddress(picture), picture } : new Failure('photo-unreadable', { field: 'file' });
}
