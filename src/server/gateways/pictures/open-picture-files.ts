import type { S3Config } from '#server/config.ts';
import { bucketFiles } from './bucket-files.ts';
import { folderFiles } from './folder-files.ts';
import type { PictureFiles } from './picture-files.ts';

export type PictureStorage = {
  /** The folder that files go to where no bucket is configured. */
  readonly folder: string;
  readonly s3: S3Config | undefined;
};

/** A folder of this machine, or a bucket of any store that speaks S3. */
export function openPictureFiles({ folder, s3 }: PictureStorage): PictureFiles {
  return s3 ? bucketFiles(s3) : folderFiles(folder);
}
