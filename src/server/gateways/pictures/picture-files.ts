import fs from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { syncFolder } from '#server/db/sync-folder.ts';
import { kindOf } from '#server/gateways/check.ts';
import { newId } from '#server/ids.ts';

/**
 * Stores picture files. Callers check names: `{key}/{width}.webp`, or `cards/{organization}/….png` for share images.
 */
export type PictureFiles = {
  /** Resolves once the file would survive a power cut. */
  put(name: string, bytes: Buffer): Promise<void>;
  get(name: string): Promise<PictureFile | undefined>;
  /** Deletes all files of a key or folder, if there are any. */
  removeAll(key: string): Promise<void>;
};

export type PictureFile = { readonly stream: Readable; readonly bytes: number };

export type PictureStorage = {
  /** Used if no bucket is configured. */
  readonly folder: string;
  readonly s3: S3Config | undefined;
};

export function openPictureFiles({ folder, s3 }: PictureStorage): PictureFiles {
  return s3 ? bucketFiles(s3) : folderFiles(folder);
}

export function folderFiles(location: string): PictureFiles {
  const folder = path.resolve(location);
  return {
    put: (name, bytes) => putDurably(folder, name, bytes),
    get: (name) => openFile(path.join(folder, name)),
    removeAll: (key) => fs.rm(path.join(folder, key), { recursive: true, force: true }),
  };
}

/**
 * Writes to a temporary file, syncs and renames it: a file under its final name is complete, even after a power cut.
 */
async function putDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const target = path.join(folder, name);
  const within = path.dirname(target);
  const firstMade = await fs.mkdir(within, { recursive: true });
  const part = `${target}.${newId()}.part`;
  try {
    await fs.writeFile(part, bytes, { flag: 'wx', flush: true });
    await fs.rename(part, target);
  } catch (error) {
    await fs.rm(part, { force: true });
    throw error;
  }
  await syncUpTo(within, firstMade);
}

/** Syncs the folder of the new name, and the parent folders created for it. */
async function syncUpTo(folder: string, firstMade: string | undefined): Promise<void> {
  const last = firstMade ? path.dirname(firstMade) : folder;
  await syncFolder(folder, { deep: false });
  if (folder !== last && folder !== path.dirname(folder)) await syncUpTo(path.dirname(folder), firstMade);
}

async function openFile(location: string): Promise<PictureFile | undefined> {
  const handle = await fs.open(location).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  const { size } = await handle.stat();
  return { stream: handle.createReadStream(), bytes: size };
}

type Sdk = typeof import('@aws-sdk/client-s3');
export type Bucket = { readonly sdk: Sdk; readonly client: S3Client; readonly name: string };

/** As a disk that fails: callers answer that the site is out of order. Says nothing of what the bucket said. */
export class BucketUnavailable extends Error {
  override readonly name = 'BucketUnavailable';
  readonly code = 'EIO';
  /** The store's own name for it, such as AccessDenied. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The bucket cannot be used (${reason})`);
    this.reason = reason;
  }
}

export type BucketLimits = {
  /** In which somebody waits for the answer, all tries together. */
  readonly withinMs: number;
  /** In which a file that is read makes LEAST_BYTES_PER_LOOK of its way, from the bucket to its reader. */
  readonly lookEveryMs: number;
  /** Files that are read at once. */
  readonly connections: number;
};

/** The SDK reads 50 at once, which as many slow readers would use up. */
const LIMITS: BucketLimits = { withinMs: 15_000, lookEveryMs: 60_000, connections: 500 };
const LEAST_BYTES_PER_LOOK = 30_000;

/** Loads the SDK at first use: most installations have no bucket. @throws BucketUnavailable */
export function bucketFiles(config: S3Config, limits = LIMITS): PictureFiles {
  // With connections of their own: who reads slowly holds one, which no photo that comes in has to wait for.
  const reading = bucketWithin(config, limits);
  const writing = bucketWithin(config, limits);
  return {
    put: (name, bytes) => writing((bucket, signal) => putObject(bucket, name, bytes, signal)),
    get: async (name) => {
      const file = await reading((bucket, signal) => getObject(bucket, name, signal));
      if (file) endWhenSlow(file.stream, limits.lookEveryMs);
      return file;
    },
    removeAll: (key) => writing((bucket, signal) => removeObjects(bucket, `${key}/`, signal)),
  };
}

function bucketWithin(config: S3Config, { withinMs, connections }: BucketLimits) {
  let opened: Promise<Bucket> | undefined;
  return async <T>(work: (bucket: Bucket, abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    opened ??= openBucket(config, connections);
    const bucket = await opened;
    // The file itself may take longer to arrive.
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(() => ending.abort(), withinMs);
    try {
      return await work(bucket, signal);
    } catch (error) {
      throw new BucketUnavailable(signal.aborted ? 'it does not answer' : kindOf(error));
    } finally {
      clearTimeout(timer);
    }
  };
}

/** A file that drips would keep its connection, and whoever needs all of it, for as long as it likes. */
function endWhenSlow(file: IncomingMessage, lookEveryMs: number): void {
  const { socket } = file;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const isFastEnough = socket.bytesRead - seen >= LEAST_BYTES_PER_LOOK;
    seen = socket.bytesRead;
    if (!isFastEnough) file.destroy(new BucketUnavailable('a file takes too long'));
  }, lookEveryMs);
  file.once('close', () => clearInterval(timer));
  // It may have no reader any more.
  file.on('error', () => {});
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function openBucket(config: S3Config, maxSockets = LIMITS.connections): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    forcePathStyle: config.forcePathStyle,
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    // Other stores support the newer checksums only in part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Otherwise the SDK prints plain text between the lines of the log.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
  return { sdk, client, name: config.bucket };
}

async function putObject(
  { sdk, client, name: Bucket }: Bucket,
  Key: string,
  Body: Buffer,
  abortSignal: AbortSignal,
): Promise<void> {
  const ContentType = Key.endsWith('.png') ? 'image/png' : 'image/webp';
  await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType }), { abortSignal });
}

async function getObject(
  { sdk, client, name: Bucket }: Bucket,
  Key: string,
  abortSignal: AbortSignal,
): Promise<(PictureFile & { readonly stream: IncomingMessage }) | undefined> {
  try {
    const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
    if (!(Body instanceof IncomingMessage) || ContentLength === undefined) throw new Error('The bucket sent no file.');
    return { stream: Body, bytes: ContentLength };
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    throw error;
  }
}

/** One at a time, because not every store can delete several at once. A listing names a thousand at most. */
async function removeObjects(
  { sdk, client, name: Bucket }: Bucket,
  Prefix: string,
  abortSignal: AbortSignal,
): Promise<void> {
  let ContinuationToken: string | undefined;
  do {
    const listed = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), {
      abortSignal,
    });
    for (const { Key } of listed.Contents ?? [])
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal });
    ContinuationToken = listed.IsTruncated ? listed.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
}
