import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Failure } from '#domain/failures.ts';
import { createWorkQueue } from '#server/process/work-queue.ts';

/** A compressed file of the site map: up to 10 MB of text, about 1 MB compressed. */
export type CachedFile = { readonly gzip: Buffer; readonly etag: string };

export type FileCache = {
  /**
   * Returns a file from the cache or generates it. Concurrent requests for a file share one run of `generate`.
   * @param generate yields the text in chunks; undefined if there is no such file
   * @returns Failure too-many-requests if too many other files are waiting
   */
  open(
    name: string,
    generate: () => Promise<AsyncIterable<string> | undefined>,
  ): Promise<CachedFile | Failure | undefined>;
};

/** Lifetime in this cache. Crawlers may cache a file for an hour. */
const LIFETIME_MS = 10 * 60_000;
const MAX_FILES = 24;
/** Anyone can request the part after any story, so files are generated one at a time. */
const LIMITS = { maxRunning: 1, maxQueued: 12, timeoutSeconds: 120 };

export function createFileCache(now: () => Date): FileCache {
  const cache = new Map<string, { readonly file: CachedFile; readonly expiresAt: number }>();
  const pendingFiles = new Map<string, Promise<CachedFile | Failure | undefined>>();
  const queue = createWorkQueue(LIMITS);

  const storeFile = (name: string, file: CachedFile): void => {
    cache.delete(name);
    cache.set(name, { file, expiresAt: now().getTime() + LIFETIME_MS });
    for (const oldest of [...cache.keys()].slice(0, -MAX_FILES)) cache.delete(oldest);
  };
  const generateFile: FileCache['open'] = async (name, generate) => {
    const file = await queue.run(async () => {
      const chunks = await generate();
      return chunks && compress(chunks);
    });
    if (file && !(file instanceof Failure)) storeFile(name, file);
    return file;
  };
  return {
    open: async (name, generate) => {
      const cachedEntry = cache.get(name);
      if (cachedEntry && cachedEntry.expiresAt > now().getTime()) return cachedEntry.file;
      const generation = pendingFiles.get(name) ?? generateFile(name, generate);
      pendingFiles.set(name, generation);
      try {
        return await generation;
      } finally {
        pendingFiles.delete(name);
      }
    },
  };
}

async function compress(chunks: AsyncIterable<string>): Promise<CachedFile> {
  const gzip = await pipeline(Readable.from(chunks, { objectMode: false }), createGzip(), buffer);
  return { gzip, etag: `"${createHash('sha256').update(gzip).digest('base64url').slice(0, 27)}"` };
}
