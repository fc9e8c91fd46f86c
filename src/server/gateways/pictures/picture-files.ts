import type { Readable } from 'node:stream';
import type { S3Config } from '#server/config.ts';
import { bucketFiles } from './bucket-files.ts';
import { folderFiles } from './folder-files.ts';

/** Where the files of pictures are kept. A name is `{key}/{width}.webp`, and is checked before it comes here. */
export type PictureFiles = {
  /** Keeps a file; when this resolves, it outlives a power cut. */
  put(name: string, bytes: Buffer): Promise<void>;
  get(name: string): Promise<PictureFile | undefined>;
  /** Takes away all files of a key; none is fine. */
  removeAll(key: string): Promise<void>;
};

export type PictureFile = { readonly stream: Readable; readonly bytes: number };

export type PictureStorage = {
  /** The folder that files go to where no bucket is configured. */
  readonly folder: string;
  readonly s3: S3Config | undefined;
};

/** A folder of this machine, or a bucket of any store that speaks S3. */
export function pictureFiles({ folder, s3 }: PictureStorage): PictureFiles {
  return s3 ? bucketFiles(s3) : folderFiles(folder);
}
