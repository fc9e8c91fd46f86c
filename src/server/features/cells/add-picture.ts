import { z } from 'zod';
import type { ResponseBody } from '#contract/schemas.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { photoSizeFailure } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentPicture } from '#server/entities/present-profile.ts';
import { pictureAddress, type UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { addField } from '#server/http/problems.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { isPictureInTexts } from './cells.store.ts';

/** How long an editor has to save a cell that contains the picture. */
const UNUSED_DAYS = 7;

/**
 * Stores a picture for use in cells. The picture is deleted after a week if no saved text contains it.
 * @returns Failure for an invalid picture
 */
export async function addPicture(
  { db, pictures, jobs, now }: Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>,
  bytes: Buffer | UploadedFile | undefined,
): Promise<ResponseBody<'addPicture'> | Failure> {
  const failure = addField('file', photoSizeFailure(bytes?.length ?? 0));
  if (failure || !bytes) return failure ?? new Failure('no-file', { field: 'file' });
  const photo = await pictures.store(bytes);
  if (photo instanceof Failure) return addField('file', photo) ?? photo;
  const { key } = photo;
  const checkTime = new Date(now().getTime() + UNUSED_DAYS * DAY_MS);
  try {
    await inTransaction(db, (tx) => jobs.enqueue(tx, removeUnusedPicture, { key }, checkTime));
  } catch (error) {
    // Discard the picture: its address is never returned, so no cell can contain it.
    await pictures.discard(key);
    throw error;
  }
  const picture = presentPicture(photo);
  return picture ? { address: pictureAddress(picture), picture } : new Failure('photo-unreadable', { field: 'file' });
}

/** Deletes a picture that no cell contains. Earlier versions count, because they can be restored. */
export const removeUnusedPicture = defineJob({
  name: 'remove-unused-picture',
  payload: z.object({ key: z.string() }),
  async run({ db, pictures }: Pick<AppDeps, 'db' | 'pictures'>, { key }) {
    if (!(await isPictureInTexts(db.kysely, key))) await pictures.remove(key);
  },
});
