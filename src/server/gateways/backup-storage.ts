import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Config } from '#server/bucket-settings.ts';
import { syncFolder } from '#server/db/sync-folder.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { errorLabel } from './check.ts';
import { type Bucket, openBucket } from './pictures/picture-files.ts';

/** A folder or bucket that stores backups. */
export type BackupStorage = {
  /** Full address of a backup, without secrets. */
  readonly getAddress: (name: string) => string;
  /** Path of the temporary file to which a backup is written until it is complete. */
  readonly createDraftPath: (name: string) => Promise<string>;
  /** Deletes an unwanted draft. */
  readonly discardDraft: (draft: string) => Promise<void>;
  /** Stores a complete draft under its name. Even after a power failure, that name never refers to a partial backup. */
  readonly storeDraft: (draft: string, name: string, signal?: AbortSignal) => Promise<void>;
  /** Names of all stored files. */
  readonly list: () => Promise<readonly string[]>;
  /** Copies a backup to a file. */
  readonly copyTo: (name: string, file: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
};

/** @param location the folder or bucket from the settings */
export function openBackupStorage(
  location: { readonly folder: string } | { readonly s3: S3Config; readonly prefix: string },
): BackupStorage {
  return 'folder' in location ? openFolderStorage(location.folder) : openBucketStorage(location.s3, location.prefix);
}

const DRAFT_SUFFIX = '.part';
/** No backup takes this long, so an older draft was left behind by a killed process. */
const MAX_DRAFT_AGE_MS = 24 * 60 * 60_000;

function openFolderStorage(folder: string): BackupStorage {
  const getPath = (name: string) => path.join(folder, name);
  return {
    getAddress: getPath,
    createDraftPath: async (name) => {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await removeOldDrafts(folder, (file) => file.endsWith(`.backup${DRAFT_SUFFIX}`));
      return getPath(`${name}${DRAFT_SUFFIX}`);
    },
    discardDraft: (draft) => fs.rm(draft, { force: true }),
    storeDraft: async (draft, name) => {
      await fs.rename(draft, getPath(name));
      await syncFolder(folder, { deep: false });
    },
    list: () => fs.readdir(folder),
    copyTo: (name, file) => fs.copyFile(getPath(name), file, fs.constants.COPYFILE_EXCL),
    remove: (name) => fs.rm(getPath(name)),
  };
}

/** Deletes drafts of killed processes. Ignores drafts that are already gone or belong to another user. */
async function removeOldDrafts(folder: string, isDraft: (name: string) => boolean): Promise<void> {
  for (const name of (await fs.readdir(folder)).filter(isDraft)) {
    const draft = path.join(folder, name);
    const stats = await fs.stat(draft).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs <= MAX_DRAFT_AGE_MS) continue;
    await fs.rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

/** Prefix of the temporary folders on this machine that contain the drafts for a bucket. */
const DRAFT_FOLDER_PREFIX = 'fund-backup-';

function openBucketStorage(config: S3Config, prefix: string): BackupStorage {
  const getBucket = cacheOnSuccess(() => openBucket(config));
  const discardDraft = (draft: string) => fs.rm(path.dirname(draft), { recursive: true, force: true });
  const getAddress = (name: string) => `s3://${config.bucket}/${prefix}${name}`;
  return {
    getAddress,
    createDraftPath: async (name) => {
      await removeOldDrafts(os.tmpdir(), (file) => file.startsWith(DRAFT_FOLDER_PREFIX)).catch(() => {});
      return path.join(await fs.mkdtemp(path.join(os.tmpdir(), DRAFT_FOLDER_PREFIX)), name);
    },
    discardDraft,
    storeDraft: async (draft, name, signal) => {
      const { sdk, client, name: Bucket } = await getBucket();
      const { size: ContentLength } = await fs.stat(draft);
      const object = { Bucket, Key: prefix + name, ContentLength, ContentType: 'application/octet-stream' };
      const command = new sdk.PutObjectCommand({ ...object, Body: createReadStream(draft) });
      const hash = await hashFile(draft);
      // The SDK doesn't sign the content of a stream. Sending its hash lets the bucket reject a corrupted upload.
      command.middlewareStack.add(
        (next) => (args) => {
          Object.assign((args.request as { headers: object }).headers, { 'x-amz-content-sha256': hash });
          return next(args);
        },
        { step: 'build', name: 'hashOfContent' },
      );
      await client.send(command, signal ? { abortSignal: signal } : {}).catch((cause: unknown) => {
        throw new Error(`${getAddress(name)} cannot be written (${errorLabel(cause)}).`, { cause });
      });
      await discardDraft(draft);
    },
    list: async () => listObjects(await getBucket(), prefix),
    copyTo: async (name, file) => {
      const { sdk, client, name: Bucket } = await getBucket();
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: prefix + name }));
      if (!(Body instanceof Readable)) throw new Error('The bucket returned no file.');
      await pipeline(Body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    },
    remove: async (name) => {
      const { sdk, client, name: Bucket } = await getBucket();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: prefix + name }));
    },
  };
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

async function listObjects({ sdk, client, name: Bucket }: Bucket, Prefix: string): Promise<string[]> {
  const names: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }));
    for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(Prefix.length));
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
  return names;
}
