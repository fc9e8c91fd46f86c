import { z } from 'zod';
import { defineJob } from '#server/jobs/define-job.ts';
import type { Pictures } from './pictures.ts';

/** Deletes the files of an unused picture. */
export const removePicture = defineJob({
  name: 'remove-picture',
  payload: z.object({ key: z.string() }),
  run: ({ pictures }: { readonly pictures: Pictures }, { key }) => pictures.remove(key),
});
