import type { Readable } from 'node:stream';
import type { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/tables.ts';

/** Pictures made safe: decoded, turned upright, stripped of metadata, encoded again in a few widths (decisions §5). */
export type Pictures = {
  /**
   * Keeps an uploaded photo.
   * @returns Failure photo-too-large, photo-format, photo-unreadable, photo-too-many-pixels, no-img,
   * too-many-requests (many wait already)
   */
  keep(bytes: Buffer): Promise<StoredPhoto | Failure>;
  /** The file of one width, for /media/{key}/{width}.webp; nothing when there is none. */
  open(key: string, width: number): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** Takes a picture's files away; none is fine. */
  remove(key: string): Promise<void>;
};

/** Where a kept picture's file of one width is served. */
export function mediaPath(key: string, width: number): string {
  return `/media/${key}/${width}.webp`;
}

/** What `newId` makes: 128 bits in 22 characters. Nothing in it can lead out of a folder. */
const KEY = /^[\w-]{22}$/;

/** Whether a text can be the key of a kept picture. */
export function isPictureKey(key: string): boolean {
  return KEY.test(key);
}

/** The name of the file of one width; nothing where there can be none. */
export function pictureFileName(key: string, width: number): string | undefined {
  return isPictureKey(key) && Number.isSafeInteger(width) && width > 0 ? `${key}/${width}.webp` : undefined;
}
