import type { Pictures } from './pictures.ts';
/** Deletes the files of an unused picture. */
export declare const removePicture: import('#server/jobs/define-job.ts').Job<
  {
    key: string;
  },
  {
    readonly pictures: Pictures;
  }
>;
