import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type BackupRecord, parseRecord } from './backup-record.ts';
import { DecryptionError, decrypt, deriveFileKey, encrypt } from './encryption.ts';

/*
 * A backup is one file:
 * 1. A header, one line of JSON: {"format":"city-climate-fund backup","version":1,"salt":"…"}. Only encrypted backups have a salt.
 * 2. The records, compressed with gzip, then encrypted (encryption.ts). A record is a type byte (0: JSON, 1: file), its length
 *    in four bytes, and its payload. The payload of a file is its name, a zero byte, and its content.
 * 3. The SHA-256 of everything above, 32 bytes.
 * The last record is the manifest. A file without it isn't a backup.
 */
const FORMAT = 'city-climate-fund backup';
const VERSION = 1;
const HASH_BYTES = 32;
/** Longer than any header. */
const MAX_HEADER_BYTES = 1024;

/** Thrown if a backup can't be read. The message is for the operator. */
export class UnreadableBackupError extends Error {
  override readonly name = 'UnreadableBackupError';
}

const UNENCRYPTED_PROBLEM =
  'is not encrypted, but BACKUP_KEY is set. Anyone who can write to the backup folder or bucket could have made it. If you trust it, add --unencrypted.';
const DAMAGED_PROBLEM = 'is damaged or truncated: its checksum is wrong. Use another backup.';

/**
 * Writes a backup; fails if the file already exists. After any other error, the file is incomplete and can't be read as a
 * backup.
 * @param secret if set, encrypts the backup
 * @returns the size in bytes
 */
export async function writeBackupFile(
  file: string,
  records: AsyncIterable<BackupRecord>,
  { secret, signal }: { readonly secret?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const salt = secret === undefined ? undefined : randomBytes(16);
  const header = Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION, salt: salt?.toString('hex') })}\n`);
  const key = secret !== undefined && salt ? await deriveFileKey(secret, salt) : undefined;
  const encryptIfKey = (source: AsyncIterable<Buffer>) => (key ? encrypt(source, key, header) : source);
  await pipeline(
    Readable.from(encodeFrames(records), { highWaterMark: 1 }),
    createGzip(),
    encryptIfKey,
    (source: AsyncIterable<Buffer>) => addHeaderAndHash(header, source),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    signal ? { signal } : {},
  );
  return (await fs.stat(file)).size;
}

async function* encodeFrames(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) {
    const isFile = 'file' in record;
    const payload = isFile
      ? Buffer.concat([Buffer.from(`${record.file}\0`), record.content])
      : Buffer.from(JSON.stringify(record));
    const prefix = Buffer.alloc(5);
    prefix[0] = isFile ? 1 : 0;
    prefix.writeUInt32BE(payload.length, 1);
    yield Buffer.concat([prefix, payload]);
  }
}

async function* addHeaderAndHash(header: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(header);
  yield header;
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
  yield hash.digest();
}

/**
 * Reads a backup. The checksum is verified first, so that no record of a damaged backup is used.
 * @param acceptsUnencrypted whether to read an unencrypted backup even though a key is set: anyone who can write to the
 *   backup folder or bucket could have made it
 * @throws UnreadableBackupError
 */
export async function* readBackupFile(
  file: string,
  secret: string | undefined,
  { acceptsUnencrypted = false } = {},
): AsyncGenerator<BackupRecord> {
  const { size, header } = await verifyChecksum(file);
  const salt = readSalt(file, header);
  if (salt === undefined && secret !== undefined && !acceptsUnencrypted)
    throw new UnreadableBackupError(`${file} ${UNENCRYPTED_PROBLEM}`);
  if (salt !== undefined && secret === undefined)
    throw new UnreadableBackupError(`${file} is encrypted: set BACKUP_KEY to the key it was made with.`);
  const key = salt === undefined || secret === undefined ? undefined : await deriveFileKey(secret, salt);
  const body: Readable = createReadStream(file, { start: header.length, end: size - HASH_BYTES - 1 });
  const plainStream = key ? Readable.from(decrypt(body, key, header), { objectMode: false }) : body;
  const gunzip = createGunzip();
  // An error in either stream destroys gunzip, so the loop below throws it.
  const pipe = pipeline(plainStream, gunzip).catch((error: unknown) => void gunzip.destroy(error as Error));
  let isComplete = false;
  try {
    for await (const record of readRecords(gunzip)) {
      isComplete = 'end' in record;
      yield record;
    }
  } catch (error) {
    if (error instanceof DecryptionError) throw new UnreadableBackupError(`${file}: ${error.message}`);
    throw error;
  } finally {
    plainStream.destroy();
    await pipe;
  }
  if (!isComplete) throw new UnreadableBackupError(`${file} ${DAMAGED_PROBLEM}`);
}

async function verifyChecksum(file: string): Promise<{ readonly size: number; readonly header: Buffer }> {
  const { size } = await fs.stat(file).catch(() => {
    throw new UnreadableBackupError(`There is no file ${file}.`);
  });
  const handle = await fs.open(file);
  try {
    const start = await readAt(handle, 0, Math.min(MAX_HEADER_BYTES, size));
    const header = start.subarray(0, start.indexOf('\n') + 1);
    if (!header.includes(FORMAT)) throw new UnreadableBackupError(`${file} is not a backup of this program.`);
    if (size < header.length + HASH_BYTES) throw new UnreadableBackupError(`${file} ${DAMAGED_PROBLEM}`);
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(file, { end: size - HASH_BYTES - 1 })) hash.update(bytes as Buffer);
    const storedHash = await readAt(handle, size - HASH_BYTES, HASH_BYTES);
    if (!hash.digest().equals(storedHash)) throw new UnreadableBackupError(`${file} ${DAMAGED_PROBLEM}`);
    return { size, header };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: fs.FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function readSalt(file: string, header: Buffer): Buffer | undefined {
  const { format, version, salt }: Record<string, unknown> = JSON.parse(header.toString());
  if (format !== FORMAT || version !== VERSION) {
    throw new UnreadableBackupError(
      `${file} was made by a later version of the program. Restore it with that version.`,
    );
  }
  return typeof salt === 'string' ? Buffer.from(salt, 'hex') : undefined;
}

async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let chunks: Buffer[] = [];
  let length = 0;
  let recordLength = 5;
  for await (const bytes of source) {
    chunks.push(bytes);
    length += bytes.length;
    if (length < recordLength) continue;
    let buffer: Buffer = Buffer.concat(chunks);
    for (;;) {
      recordLength = buffer.length < 5 ? 5 : 5 + buffer.readUInt32BE(1);
      if (buffer.length < recordLength) break;
      yield parseRecord(buffer[0] === 1, buffer.subarray(5, recordLength));
      buffer = buffer.subarray(recordLength);
    }
    chunks = [buffer];
    length = buffer.length;
  }
}
