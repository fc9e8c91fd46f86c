import type { Readable } from 'node:stream';
import type { Picture } from '#contract/schemas/shared.ts';
import type { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';

/** An uploaded file on disk, read only when it is decoded. */
export type UploadedFile = {
  /** Bytes. */
  readonly length: number;
  read(): Promise<Buffer>;
};

/**
 * Stores uploaded photos. Each one is decoded, turned upright, stripped of metadata, and re-encoded in a few widths
 * (decisions §5).
 */
export type Pictures = {
  /**
   * @returns Failure photo-too-large, photo-format, photo-unreadable, photo-too-many-pixels, no-img, too-many-requests
   * (too many are waiting), photo-not-stored (the bucket or the disk can't be used)
   */
  store(photo: Buffer | UploadedFile): Promise<StoredPhoto | Failure>;
  /** Opens the file of /media/{key}/{width}.webp. */
  open(key: string, width: number): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** @throws if the bucket or the disk can't be used */
  remove(key: string): Promise<void>;
  /** Removes an unused picture; if that fails, tries again when the next picture is stored. */
  discard(key: string): Promise<void>;
};

/** @param token token of a hidden story */
export function mediaPath(key: string, width: number, token?: string): string {
  return `/media/${key}/${width}.webp${token === undefined ? '' : `?pass=${token}`}`;
}

/** A picture's address in Markdown. It includes the size for `markdown/markdown.ts`, so that the page doesn't shift on load. */
export function pictureAddress({ url, width, height }: Pick<Picture, 'url' | 'width' | 'height'>): string {
  return `${url}#${width}x${height}`;
}

/** In pixels: for a card on a phone, a card on a high-density screen, and a full page. */
const WIDTHS: readonly number[] = [320, 640, 1280];

/** Returns the widths of a picture's stored files, ascending. @param widest in pixels */
export function storedWidths(widest: number): readonly number[] {
  return [...WIDTHS.filter((width) => width < widest), widest];
}

/** Returns the largest stored width that doesn't enlarge the picture, or its own width if that is smaller than all of them. */
export function widestStoredWidth(width: number): number {
  return WIDTHS.findLast((storedWidth) => storedWidth <= width) ?? width;
}

/** An id from `newId`: 128 bits in 22 characters, none of which can form a path out of a folder. */
const KEY_PATTERN = /^[\w-]{22}$/;

export function isPictureKey(key: string): boolean {
  return KEY_PATTERN.test(key);
}

/** @returns undefined if no such file can exist */
export function pictureFileName(key: string, width: number): string | undefined {
  return isPictureKey(key) && Number.isSafeInteger(width) && width > 0 ? `${key}/${width}.webp` : undefined;
}
