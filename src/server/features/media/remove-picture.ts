import type { AppDeps } from '#server/deps.ts';
import type { JobData } from '#server/jobs/jobs.ts';

/**
 * Takes the files of a picture away that nothing shows any more. As a job, so that a program that is ended meanwhile
 * leaves none behind.
 */
export function removePicture(
  { pictures }: Pick<AppDeps, 'pictures'>,
  { key }: JobData['remove-picture'],
): Promise<void> {
  return pictures.remove(key);
}
