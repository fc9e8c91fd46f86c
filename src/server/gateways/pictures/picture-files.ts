import fs from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/bucket-settings.ts';
import { newId } from '#server/db/new-id.ts';
import { syncFolder } from '#server/db/sync-folder.ts';
import { errorLabel } from '#server/gateways/check.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';

/** Stores picture files. Callers check names: `{key}/{width}.webp`. */
export type PictureFiles = {
  /** Resolves once the file would survive a power failure. */
  put(name: string, bytes: Buffer): Promise<void>;
  get(name: string): Promise<PictureFile | undefined>;
  /** Deletes all files of a key, if there are any. */
  removeAll(key: string): Promise<void>;
};

export type PictureFile = { readonly stream: Readable; readonly bytes: number };

export type PictureStorage = {
  /** Used if no bucket is configured. */
  readonly folder: string;
  readonly s3: S3Config | undefined;
};

export function openPictureFiles({ folder, s3 }: PictureStorage): PictureFiles {
  return s3 ? openBucketFiles(s3) : openFolderFiles(folder);
}

export function openFolderFiles(location: string): PictureFiles {
  const folder = path.resolve(location);
  return {
    put: (name, bytes) => writeDurably(folder, name, bytes),
    get: (name) => openFile(path.join(folder, name)),
    removeAll: (key) => fs.rm(path.join(folder, key), { recursive: true, force: true }),
  };
}

/**
 * Writes to a temporary file, syncs and renames it: a file under its final name is complete, even after a power failure.
 */
async function writeDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const target = path.join(folder, name);
  const targetFolder = path.dirname(target);
  const firstNewFolder = await fs.mkdir(targetFolder, { recursive: true });
  const partFile = `${target}.${newId()}.part`;
  try {
    await fs.writeFile(partFile, bytes, { flag: 'wx', flush: true });
    await fs.rename(partFile, target);
  } catch (error) {
    await fs.rm(partFile, { force: true });
    throw error;
  }
  await syncAncestors(targetFolder, firstNewFolder);
}

/** Syncs the folder of the new name, and the parent folders created for it. */
async function syncAncestors(folder: string, firstNewFolder: string | undefined): Promise<void> {
  const lastFolder = firstNewFolder ? path.dirname(firstNewFolder) : folder;
  await syncFolder(folder, { deep: false });
  if (folder !== lastFolder && folder !== path.dirname(folder))
    await syncAncestors(path.dirname(folder), firstNewFolder);
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

/** Treated like a disk failure: callers respond that the site is unavailable. Omits the bucket’s error message. */
export class BucketUnavailableError extends Error {
  override readonly name = 'BucketUnavailable';
  readonly code = 'EIO';
  /** The store’s error name, such as AccessDenied. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The bucket cannot be used (${reason})`);
    this.reason = reason;
  }
}

export type BucketLimits = {
  /** Time limit for a response, including retries. */
  readonly timeoutMs: number;
  /** Interval in which a download must transfer at least `MIN_BYTES_PER_INTERVAL`. */
  readonly checkIntervalMs: number;
  /** Maximum number of concurrent reads. */
  readonly maxConnections: number;
};

/** The SDK’s default of 50 connections would let 50 slow readers block all others. */
const LIMITS: BucketLimits = { timeoutMs: 15_000, checkIntervalMs: 60_000, maxConnections: 500 };
const MIN_BYTES_PER_INTERVAL = 30_000;

/** Loads the SDK on first use, because most installations have no bucket. @throws BucketUnavailableError */
export function openBucketFiles(config: S3Config, limits = LIMITS): PictureFiles {
  // Reads use separate connections so that slow readers can’t delay photo uploads.
  const runRead = createBucketRunner(config, limits);
  const runWrite = createBucketRunner(config, limits);
  return {
    put: (name, bytes) => runWrite((bucket, signal) => putObject(bucket, name, bytes, signal)),
    get: async (name) => {
      const file = await runRead((bucket, signal) => getObject(bucket, name, signal));
      if (file) abortIfSlow(file.stream, limits.checkIntervalMs);
      return file;
    },
    removeAll: (key) => removeObjects(runWrite, `${key}/`),
  };
}

type BucketRunner = <T>(work: (bucket: Bucket, abortSignal: AbortSignal) => Promise<T>) => Promise<T>;

function createBucketRunner(config: S3Config, { timeoutMs, maxConnections }: BucketLimits): BucketRunner {
  const getBucket = cacheOnSuccess(() => openBucket(config, maxConnections));
  return async (work) => {
    const bucket = await getBucket();
    // The limit covers the response; the file’s content may take longer.
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await work(bucket, signal);
    } catch (error) {
      throw new BucketUnavailableError(signal.aborted ? 'it does not respond' : errorLabel(error));
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Aborts a slow download, which could otherwise occupy its connection forever. */
function abortIfSlow(file: IncomingMessage, checkIntervalMs: number): void {
  const { socket } = file;
  let previousBytes = socket.bytesRead;
  const timer = setInterval(() => {
    const isFastEnough = socket.bytesRead - previousBytes >= MIN_BYTES_PER_INTERVAL;
    previousBytes = socket.bytesRead;
    if (!isFastEnough) file.destroy(new BucketUnavailableError('a file takes too long'));
  }, checkIntervalMs);
  file.once('close', () => clearInterval(timer));
  // The stream may no longer have a reader.
  file.on('error', () => {});
}

const SILENT_LOGGER = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function openBucket(config: S3Config, maxSockets = LIMITS.maxConnections): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // Other providers support path-style URLs, but not all of them support bucket names in the host name.
    forcePathStyle: config.endpoint !== undefined,
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    // Not all S3-compatible stores support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The SDK's default logger prints plain text between the JSON lines of the log.
    logger: SILENT_LOGGER,
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
  const command = new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType: 'image/webp' });
  await client.send(command, { abortSignal });
}

async function getObject(
  { sdk, client, name: Bucket }: Bucket,
  Key: string,
  abortSignal: AbortSignal,
): Promise<(PictureFile & { readonly stream: IncomingMessage }) | undefined> {
  try {
    const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
    if (!(Body instanceof IncomingMessage) || ContentLength === undefined)
      throw new Error('The bucket returned no file.');
    return { stream: Body, bytes: ContentLength };
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    throw error;
  }
}

/**
 * Deletes objects in separate requests, because not every store supports bulk deletion. Each request has its own time
 * limit, because there may be thousands.
 */
async function removeObjects(run: BucketRunner, Prefix: string, ContinuationToken?: string): Promise<void> {
  const page = await run(({ sdk, client, name: Bucket }, abortSignal) =>
    client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), { abortSignal }),
  );
  await forEachConcurrently(page.Contents ?? [], ({ Key }) =>
    run(({ sdk, client, name: Bucket }, abortSignal) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }),
    ),
  );
  const { NextContinuationToken: nextPage } = page;
  if (page.IsTruncated && nextPage !== undefined) await removeObjects(run, Prefix, nextPage);
}
