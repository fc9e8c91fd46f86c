import type { Readable } from 'node:stream';

/**
 * Where the files of pictures are kept. A name is `{key}/{width}.webp`, or `cards/{organisation}/….png` of a share card,
 * and is checked before it comes here.
 */
export type PictureFiles = {
  /** Keeps a file; when this resolves, it outlives a power cut. */
  put(name: string, bytes: Buffer): Promise<void>;
  get(name: string): Promise<PictureFile | undefined>;
  /** Takes away all files of a key, or of a folder; none is fine. */
  removeAll(key: string): Promise<void>;
};

export type PictureFile = { readonly stream: Readable; readonly bytes: number };
