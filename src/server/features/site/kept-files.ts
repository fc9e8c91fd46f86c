import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Failure } from '#domain/failures.ts';
import { workQueue } from '#server/program/work-queue.ts';

/** A file of the site map: as large as 10 MB, a tenth of it compressed. */
export type KeptFile = { readonly gzip: Buffer; readonly etag: string };

export type KeptFiles = {
  /**
   * Concurrent requests for a file share one making.
   * @param make its text in pieces; undefined if there is no such file
   * @returns Failure too-many-requests if too many others are waiting to be made
   */
  open(name: string, make: () => Promise<AsyncIterable<string> | undefined>): Promise<KeptFile | Failure | undefined>;
};

/** Crawlers may keep it for an hour. */
const KEPT_MS = 10 * 60_000;
const MOST_FILES = 24;
/** Anybody can ask for a part after any story, so parts are made one at a time. */
const LIMITS = { atOnce: 1, waiting: 12, seconds: 120 };

export function keptFiles(now: () => Date): KeptFiles {
  const kept = new Map<string, { readonly file: KeptFile; readonly until: number }>();
  const making = new Map<string, Promise<KeptFile | Failure | undefined>>();
  const queue = workQueue(LIMITS);

  const keep = (name: string, file: KeptFile): void => {
    kept.delete(name);
    kept.set(name, { file, until: now().getTime() + KEPT_MS });
    for (const oldest of [...kept.keys()].slice(0, -MOST_FILES)) kept.delete(oldest);
  };
  const made: KeptFiles['open'] = async (name, make) => {
    const file = await queue.run(async () => {
      const pieces = await make();
      return pieces && fileOf(pieces);
    });
    if (file && !(file instanceof Failure)) keep(name, file);
    return file;
  };
  return {
    open: async (name, make) => {
      const known = kept.get(name);
      if (known && known.until > now().getTime()) return known.file;
      const underWay = making.get(name) ?? made(name, make);
      making.set(name, underWay);
      try {
        return await underWay;
      } finally {
        making.delete(name);
      }
    },
  };
}

async function fileOf(pieces: AsyncIterable<string>): Promise<KeptFile> {
  const gzip = await pipeline(Readable.from(pieces, { objectMode: false }), createGzip(), buffer);
  return { gzip, etag: `"${createHash('sha256').update(gzip).digest('base64url').slice(0, 27)}"` };
}
