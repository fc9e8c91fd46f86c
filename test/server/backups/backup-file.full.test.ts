import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { readBackupFile, writeBackupFile } from '#server/features/backups/backup-file.ts';
import type { BackupRecord } from '#server/features/backups/backup-record.ts';
import { decrypt, encrypt } from '#server/features/backups/encryption.ts';

vi.setConfig({ testTimeout: 60_000 });
const folder = await scratchFolder('backup-file');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const KEY = 'of the test: 0123456789abcdefghij';
const END = { end: { tables: {}, ledger: [], files: 1, fileBytes: 3 } };
/** Longer than one encrypted chunk, and not compressible. */
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * at * 2_654_435_761) >>> 24));
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

async function* each(records: readonly BackupRecord[]): AsyncGenerator<BackupRecord> {
  yield* records;
}

const newFile = () => path.join(folder, `${randomUUID()}.backup`);

async function collectAll<T>(given: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of given) records.push(record);
  return records;
}

async function writeBackup(secret?: string, records = RECORDS): Promise<string> {
  const file = newFile();
  expect(await writeBackupFile(file, each(records), { secret })).toBe((await fs.stat(file)).size);
  return file;
}

const read = (file: string, secret?: string) => collectAll(readBackupFile(file, secret));

test.each([undefined, KEY])('a backup round-trips with the key %s', async (secret) => {
  const file = await writeBackup(secret);
  expect(await read(file, secret)).toEqual(RECORDS);
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
  expect((await fs.readFile(file)).includes('users')).toBe(false);
});

test('an encrypted backup needs its key', async () => {
  const file = await writeBackup(KEY);
  await expect(read(file)).rejects.toThrow('is encrypted: set BACKUP_KEY to the key it was made with.');
  await expect(read(file, `another ${KEY}`)).rejects.toThrow('BACKUP_KEY is not the key it was made with');
});

test.each([undefined, KEY])('a truncated or modified backup is rejected, with the key %s', async (secret) => {
  const fullFile = await fs.readFile(await writeBackup(secret));
  const places = [150, 200, Math.floor(fullFile.length / 2), fullFile.length - 33, fullFile.length - 1];
  for (const place of places) {
    const [cut, changed] = [newFile(), newFile()];
    await fs.writeFile(cut, fullFile.subarray(0, place));
    const bytes = Buffer.from(fullFile);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await fs.writeFile(changed, bytes);
    await expect(read(cut, secret)).rejects.toThrow('is damaged or truncated');
    await expect(read(changed, secret)).rejects.toThrow('is damaged or truncated');
  }
});

test('an unencrypted backup is rejected if a key is set, unless allowed', async () => {
  const file = await writeBackup();
  await expect(read(file, KEY)).rejects.toThrow('is not encrypted, although BACKUP_KEY is set');
  expect(await collectAll(readBackupFile(file, KEY, { acceptsUnencrypted: true }))).toEqual(RECORDS);
});

test('a backup without its end is rejected even with a correct checksum', async () => {
  await expect(read(await writeBackup(undefined, RECORDS.slice(0, -1)))).rejects.toThrow('is damaged or truncated');
});

test('any other file is rejected', async () => {
  const other = newFile();
  await fs.writeFile(other, 'A note.\n');
  await expect(read(other)).rejects.toThrow('is not a backup of this program');
  await expect(read(newFile())).rejects.toThrow('There is no file');
  const later = newFile();
  const fullText = (await fs.readFile(await writeBackup())).toString('latin1').replace('"version":1', '"version":2');
  await fs.writeFile(later, fullText, 'latin1');
  await expect(read(later)).rejects.toThrow();
});

test('no piece of an encrypted stream can be cut off, moved, or repeated', async () => {
  const key = Buffer.alloc(32, 7);
  const about = Buffer.from('about');
  const collect = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await collectAll(stream));
  async function* parts(bytes: Buffer, size: number) {
    for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
  }
  const PIECE = 64 * 1024;
  const lengths = fc.constantFrom(0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 5);
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 100_000 }), async (length, size) => {
      const plain = CONTENT.subarray(0, length);
      const secret = await collect(encrypt(parts(plain, size), key, about));
      expect(await collect(decrypt(parts(secret, size), key, about))).toEqual(plain);
      await expect(collect(decrypt(parts(secret, size), key, Buffer.from('else')))).rejects.toThrow('damaged');
      const cuts = [secret.length - 1, secret.length - 16, PIECE + 16].filter((cut) => cut >= 0 && cut < secret.length);
      for (const cut of cuts)
        await expect(collect(decrypt(parts(secret.subarray(0, cut), size), key, about))).rejects.toThrow('damaged');
      if (length <= PIECE) return;
      const first = secret.subarray(0, PIECE + 16);
      const twice = Buffer.concat([first, secret]);
      await expect(collect(decrypt(parts(twice, size), key, about))).rejects.toThrow('damaged');
    }),
    { numRuns: 20 },
  );
});
