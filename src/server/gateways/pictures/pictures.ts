import type { Readable } from 'node:stream';
import type { Picture } from '#contract/schemas/shared.ts';
import type { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/tables.ts';

/** An uploaded file on disk, read when its turn to be decoded comes. */
export type Uploaded = {
  /** Bytes. */
  readonly length: number;
  read(): Promise<Buffer>;
};

/**
 * Uploaded photos, made safe: decoded, turned upright, stripped of metadata and encoded again in a few widths
 * (decisions §5).
 */
export type Pictures = {
  /**
   * @returns Failure photo-too-large, photo-format, photo-unreadable, photo-too-many-pixels, no-img,
   * too-many-requests (too many are waiting), photo-not-kept (the bucket or the disk cannot be used)
   */
  store(photo: Buffer | Uploaded): Promise<StoredPhoto | Failure>;
  /** For /media/{key}/{width}.webp. */
  open(key: string, width: number): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** @throws if the bucket or the disk cannot be used */
  remove(key: string): Promise<void>;
  /** Removes a picture that nothing names; if it cannot be now, once the next one is stored. */
  discard(key: string): Promise<void>;
};

/** @param pass of a story that is not shown */
export function mediaPath(key: string, width: number, pass?: string): string {
  return `/media/${key}/${width}.webp${pass === undefined ? '' : `?pass=${pass}`}`;
}

/** In a text: includes the size, so that the page does not shift when the picture loads (texts/markdown.ts reads it). */
export function pictureAddress({ url, width, height }: Pick<Picture, 'url' | 'width' | 'height'>): string {
  return `${url}#${width}x${height}`;
}

/** In pixels: a card on a phone, a card on a high-density screen, a whole page. */
const WIDTHS: readonly number[] = [320, 640, 1280];

/** The widths that a picture is kept in, ascending. @param widest in pixels */
export function storedWidths(widest: number): readonly number[] {
  return [...WIDTHS.filter((width) => width < widest), widest];
}

/** The widest of them that a picture of this width fills, or its own width, if that is narrower than all. */
export function widestStored(width: number): number {
  return WIDTHS.findLast((each) => each <= width) ?? width;
}

/** What `newId` makes: 128 bits in 22 characters. None of them can lead out of a folder. */
const KEY = /^[\w-]{22}$/;

export function isPictureKey(key: string): boolean {
  return KEY.test(key);
}

/** Undefined if no such file can exist. */
export function pictureFileName(key: string, width: number): string | undefined {
  return isPictureKey(key) && Number.isSafeInteger(width) && width > 0 ? `${key}/${width}.webp` : undefined;
}
