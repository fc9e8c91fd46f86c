import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import type { Pictures } from '#server/gateways/pictures/pictures.ts';
import { createSharpPictures } from '#server/gateways/pictures/sharp-pictures.ts';

/** Creates a folder that is deleted after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pictures-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates picture storage in a folder that only this test uses. */
export async function picturesInFolder(): Promise<{ pictures: Pictures; folder: string }> {
  const folder = await temporaryFolder();
  return { pictures: createSharpPictures({ files: openPictureFiles({ folder, s3: undefined }) }), folder };
}

/** Stores a photo that must be accepted. @returns the stored files by width */
export async function storeValidPhoto(
  bytes: Buffer,
): Promise<{ photo: StoredPhoto; files: Map<number, Buffer>; folder: string }> {
  const { pictures, folder } = await picturesInFolder();
  const photo = await pictures.store(bytes);
  if (photo instanceof Failure) throw photo;
  const files = new Map<number, Buffer>();
  for (const width of photo.widths) files.set(width, await fs.readFile(path.join(folder, photo.key, `${width}.webp`)));
  return { photo, files, folder };
}

/** Tries to store a photo. @returns `stored`, or the error code of a rejected photo, which must leave no files */
export async function tryToStore(bytes: Buffer): Promise<string> {
  const { pictures, folder } = await picturesInFolder();
  const response = await pictures.store(bytes);
  if (!(response instanceof Failure)) return 'stored';
  const files = await fs.readdir(folder);
  return files.length === 0 ? response.code : `${response.code}, but it left ${files.join(', ')}`;
}

/** Reads one pixel: red, green, blue, and alpha if the picture has transparency. */
export async function pixelAt(file: Buffer | undefined, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}
