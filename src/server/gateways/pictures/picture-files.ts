import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { syncFolder } from '#server/db/sync-folder.ts';
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

/** Loads the SDK at first use: most installations have no bucket. */
export function bucketFiles(config: S3Config): PictureFiles {
  let opened: Promise<Bucket> | undefined;
  const bucket = () => {
    opened ??= openBucket(config);
    return opened;
  };
  return {
    put: async (name, bytes) => putObject(await bucket(), name, bytes),
    get: async (name) => getObject(await bucket(), name),
    removeAll: async (key) => removeObjects(await bucket(), `${key}/`),
  };
}

export async function openBucket(config: S3Config): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    forcePathStyle: config.forcePathStyle,
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    // Other stores support the newer checksums only in part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
  return { sdk, client, name: config.bucket };
}

async function putObject({ sdk, client, name: Bucket }: Bucket, Key: string, Body: Buffer): Promise<void> {
  const ContentType = Key.endsWith('.png') ? 'image/png' : 'image/webp';
  await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType }));
}

async function getObject({ sdk, client, name: Bucket }: Bucket, Key: string): Promise<PictureFile | undefined> {
  try {
    const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
    if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('The bucket sent no file.');
    return { stream: Body, bytes: ContentLength };
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    throw error;
  }
}

/** One at a time, because not every store can delete several at once. A listing names a thousand at most. */
async function removeObjects({ sdk, client, name: Bucket }: Bucket, Prefix: string): Promise<void> {
  let ContinuationToken: string | undefined;
  do {
    const listed = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }));
    for (const { Key } of listed.Contents ?? []) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    ContinuationToken = listed.IsTruncated ? listed.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
}
