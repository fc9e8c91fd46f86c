import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readBackupFile, writeBackupFile } from '#server/features/backups/backup-file.ts';
import type { BackupRecord } from '#server/features/backups/backup-record.ts';
import { decrypt, encrypt } from '#server/features/backups/encryption.ts';

vi.setConfig({ testTimeout: 60_000 });
const folder = await createScratchFolder('backup-file');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const BACKUP_KEY = 'of the test: 0123456789abcdefghij';
const END = { end: { tables: {}, ledger: [], files: 1, fileBytes: 3 } };
/** Incompressible content longer than one encrypted chunk. */
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index * 2_654_435_761) >>> 24));
const RECORDS: readonly BackupRecord[] = [
  { begin: { at: '2026-11-23T12:00:00.000Z', migrations: [{ name: '0001-first', fingerprint: 'f' }] } },
  { table: 'users', columns: ['id', 'name'] },
  {
    rows: [
      ['1', null],
      ['2', 'Zoë\n"'],
    ],
  },
  { file: 'a/1.webp', content: CONTENT },
  END,
];

async function* streamRecords(records: readonly BackupRecord[]): AsyncGenerator<BackupRecord> {
  yield* records;
}

const newFilePath = () => path.join(folder, `${randomUUID()}.backup`);

async function collectAll<T>(source: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of source) records.push(record);
  return records;
}

async function writeBackup(secret?: string, records = RECORDS): Promise<string> {
  const file = newFilePath();
  expect(await writeBackupFile(file, streamRecords(records), { secret })).toBe((await fs.stat(file)).size);
  return file;
}

const readRecords = (file: string, secret?: string) => collectAll(readBackupFile(file, secret));

test.each([undefined, BACKUP_KEY])('a backup round-trips with the key %s', async (secret) => {
  const file = await writeBackup(secret);
  expect(await readRecords(file, secret)).toEqual(RECORDS);
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
  expect((await fs.readFile(file)).includes('users')).toBe(false);
});

test('an encrypted backup needs its key', async () => {
  const file = await writeBackup(BACKUP_KEY);
  await expect(readRecords(file)).rejects.toThrow('is encrypted: set BACKUP_KEY to the key it was made with.');
  await expect(readRecords(file, `another ${BACKUP_KEY}`)).rejects.toThrow(
    'BACKUP_KEY is not the key it was made with',
  );
});

test.each([undefined, BACKUP_KEY])('a truncated or modified backup is rejected, with the key %s', async (secret) => {
  const fullFile = await fs.readFile(await writeBackup(secret));
  const offsets = [150, 200, Math.floor(fullFile.length / 2), fullFile.length - 33, fullFile.length - 1];
  for (const offset of offsets) {
    const [truncatedFile, modifiedFile] = [newFilePath(), newFilePath()];
    await fs.writeFile(truncatedFile, fullFile.subarray(0, offset));
    const bytes = Buffer.from(fullFile);
    bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    await fs.writeFile(modifiedFile, bytes);
    await expect(readRecords(truncatedFile, secret)).rejects.toThrow('is damaged or truncated');
    await expect(readRecords(modifiedFile, secret)).rejects.toThrow('is damaged or truncated');
  }
});

test('an unencrypted backup is rejected if a key is set, unless allowed', async () => {
  const file = await writeBackup();
  await expect(readRecords(file, BACKUP_KEY)).rejects.toThrow('is not encrypted, but BACKUP_KEY is set');
  expect(await collectAll(readBackupFile(file, BACKUP_KEY, { acceptsUnencrypted: true }))).toEqual(RECORDS);
});

test('a backup without an end record is rejected even with a correct checksum', async () => {
  await expect(readRecords(await writeBackup(undefined, RECORDS.slice(0, -1)))).rejects.toThrow(
    'is damaged or truncated',
  );
});

test('a file that isn’t a backup is rejected', async () => {
  const nonBackupFile = newFilePath();
  await fs.writeFile(nonBackupFile, 'A note.\n');
  await expect(readRecords(nonBackupFile)).rejects.toThrow('is not a backup of this program');
  await expect(readRecords(newFilePath())).rejects.toThrow('There is no file');
  const newerFile = newFilePath();
  const fullText = (await fs.readFile(await writeBackup())).toString('latin1').replace('"version":1', '"version":2');
  await fs.writeFile(newerFile, fullText, 'latin1');
  await expect(readRecords(newerFile)).rejects.toThrow();
});

test('no chunk of an encrypted stream can be removed, moved, or repeated', async () => {
  const key = Buffer.alloc(32, 7);
  const context = Buffer.from('about');
  const collect = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await collectAll(stream));
  async function* splitIntoParts(bytes: Buffer, size: number) {
    for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
  }
  const CHUNK_SIZE = 64 * 1024;
  const lengths = fc.constantFrom(0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 2 * CHUNK_SIZE, 2 * CHUNK_SIZE + 5);
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 100_000 }), async (length, size) => {
      const plaintext = CONTENT.subarray(0, length);
      const ciphertext = await collect(encrypt(splitIntoParts(plaintext, size), key, context));
      expect(await collect(decrypt(splitIntoParts(ciphertext, size), key, context))).toEqual(plaintext);
      await expect(collect(decrypt(splitIntoParts(ciphertext, size), key, Buffer.from('else')))).rejects.toThrow(
        'damaged',
      );
      const cuts = [ciphertext.length - 1, ciphertext.length - 16, CHUNK_SIZE + 16].filter(
        (cut) => cut >= 0 && cut < ciphertext.length,
      );
      for (const cut of cuts)
        await expect(collect(decrypt(splitIntoParts(ciphertext.subarray(0, cut), size), key, context))).rejects.toThrow(
          'damaged',
        );
      if (length <= CHUNK_SIZE) return;
      const firstChunk = ciphertext.subarray(0, CHUNK_SIZE + 16);
      const repeatedStream = Buffer.concat([firstChunk, ciphertext]);
      await expect(collect(decrypt(splitIntoParts(repeatedStream, size), key, context))).rejects.toThrow('damaged');
    }),
    { numRuns: 20 },
  );
});
