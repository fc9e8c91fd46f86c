import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type BackupRecord, recordOf } from './backup-record.ts';
import { keyOfFile, SealBroken, sealed, unsealed } from './seal.ts';

/*
 * A backup is one file (docs/operations.md):
 * 1. A line of JSON: {"format":"city-climate-fund backup","version":1,"salt":"…"}; the salt only if it is encrypted.
 * 2. Gzip of the records, encrypted after that (seal.ts). A record is a byte that says what it is (0: JSON, 1: a file),
 *    the number of bytes in four, and the bytes. Of a file they are its name, a zero byte and its content.
 * 3. The SHA-256 of all before, 32 bytes.
 * The last record is the manifest: without it, it is no backup.
 */
const FORMAT = 'city-climate-fund backup';
const VERSION = 1;
const HASH_BYTES = 32;
/** Longer than any first line. */
const FIRST_BYTES = 1024;

/** It cannot be read. The message is for the operator. */
export class BackupUnreadable extends Error {
  override readonly name = 'BackupUnreadable';
}

const PLAIN =
  'is not encrypted, although BACKUP_KEY is set: anyone who can write to the backup place could have made it. If you trust it, add --unencrypted.';
const DAMAGED = 'is damaged or cut short: its checksum is another one. Take another backup.';

/**
 * Writes a file that must not be there yet.
 * @param secret encrypts it
 * @throws what writing throws: the file is then incomplete, and cannot be read as a backup
 * @returns its size
 */
export async function writeBackupFile(
  file: string,
  records: AsyncIterable<BackupRecord>,
  { secret, signal }: { readonly secret?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const salt = secret === undefined ? undefined : randomBytes(16);
  const head = { format: FORMAT, version: VERSION, ...(salt ? { salt: salt.toString('hex') } : {}) };
  const first = Buffer.from(`${JSON.stringify(head)}\n`);
  const key = secret !== undefined && salt ? await keyOfFile(secret, salt) : undefined;
  const encrypted = (source: AsyncIterable<Buffer>) => (key ? sealed(source, key, first) : source);
  await pipeline(
    Readable.from(framesOf(records), { highWaterMark: 1 }),
    createGzip(),
    encrypted,
    (source: AsyncIterable<Buffer>) => hashed(first, source),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { ...(signal ? { signal } : {}) },
  );
  return (await fs.stat(file)).size;
}

async function* framesOf(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) {
    const isFile = 'file' in record;
    const payload = isFile
      ? Buffer.concat([Buffer.from(`${record.file}\0`), record.content])
      : Buffer.from(JSON.stringify(record));
    const head = Buffer.alloc(5);
    head[0] = isFile ? 1 : 0;
    head.writeUInt32BE(payload.length, 1);
    yield Buffer.concat([head, payload]);
  }
}

async function* hashed(first: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(first);
  yield first;
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
  yield hash.digest();
}

/**
 * Reads a backup. Its checksum is compared first, so that nothing of a damaged one is taken.
 * @param acceptsUnencrypted whether a backup without encryption is read although there is a key: whoever can write to the
 *   backup folder or bucket could have made it
 * @throws BackupUnreadable
 */
export async function* readBackupFile(
  file: string,
  secret: string | undefined,
  { acceptsUnencrypted = false } = {},
): AsyncGenerator<BackupRecord> {
  const { size, first } = await checkedFile(file);
  const head = headOf(file, first);
  if (head.salt === undefined && secret !== undefined && !acceptsUnencrypted)
    throw new BackupUnreadable(`${file} ${PLAIN}`);
  const key = head.salt === undefined ? undefined : await keyOfFile(givenSecret(file, secret), head.salt);
  const body: Readable = createReadStream(file, { start: first.length, end: size - HASH_BYTES - 1 });
  const plain = key ? Readable.from(unsealed(body, key, first), { objectMode: false }) : body;
  const gunzip = createGunzip();
  // What goes wrong in one of them is thrown below.
  const flowing = pipeline(plain, gunzip).catch((error: unknown) => void gunzip.destroy(error as Error));
  let isWhole = false;
  try {
    for await (const record of recordsOf(gunzip)) {
      isWhole = 'end' in record;
      yield record;
    }
  } catch (error) {
    if (error instanceof SealBroken) throw new BackupUnreadable(`${file}: ${error.message}`);
    throw error;
  } finally {
    plain.destroy();
    await flowing;
  }
  if (!isWhole) throw new BackupUnreadable(`${file} ${DAMAGED}`);
}

async function checkedFile(file: string): Promise<{ readonly size: number; readonly first: Buffer }> {
  const { size } = await fs.stat(file).catch(() => {
    throw new BackupUnreadable(`There is no file ${file}.`);
  });
  const handle = await fs.open(file);
  try {
    const beginning = await readAt(handle, 0, Math.min(FIRST_BYTES, size));
    const first = beginning.subarray(0, beginning.indexOf('\n') + 1);
    if (!first.includes(FORMAT)) throw new BackupUnreadable(`${file} is not a backup of this program.`);
    if (size < first.length + HASH_BYTES) throw new BackupUnreadable(`${file} ${DAMAGED}`);
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(file, { end: size - HASH_BYTES - 1 })) hash.update(bytes as Buffer);
    const kept = await readAt(handle, size - HASH_BYTES, HASH_BYTES);
    if (!hash.digest().equals(kept)) throw new BackupUnreadable(`${file} ${DAMAGED}`);
    return { size, first };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: fs.FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function headOf(file: string, first: Buffer): { readonly salt: Buffer | undefined } {
  const { format, version, salt }: Record<string, unknown> = JSON.parse(first.toString());
  if (format !== FORMAT || version !== VERSION) {
    throw new BackupUnreadable(`${file} was made by a later version of the program. Restore it with that version.`);
  }
  return { salt: typeof salt === 'string' ? Buffer.from(salt, 'hex') : undefined };
}

function givenSecret(file: string, secret: string | undefined): string {
  if (secret === undefined)
    throw new BackupUnreadable(`${file} is encrypted: set BACKUP_KEY to the key it was made with.`);
  return secret;
}

async function* recordsOf(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let held: Buffer[] = [];
  let length = 0;
  let needed = 5;
  for await (const bytes of source) {
    held.push(bytes);
    length += bytes.length;
    if (length < needed) continue;
    let all: Buffer = Buffer.concat(held);
    for (;;) {
      needed = all.length < 5 ? 5 : 5 + all.readUInt32BE(1);
      if (all.length < needed) break;
      yield recordOf(all[0] === 1, all.subarray(5, needed));
      all = all.subarray(needed);
    }
    held = [all];
    length = all.length;
  }
}
