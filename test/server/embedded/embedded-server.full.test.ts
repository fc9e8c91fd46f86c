// @spec decisions.9
// Slow because each test starts a separate PostgreSQL.
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpEmbeddedDatabases } from '#test/support/embedded-database.ts';

const { newDataDir, open } = setUpEmbeddedDatabases();

test('the first start creates a durable cluster that only its owner can read', async () => {
  const dataDir = await newDataDir();
  const { pool, isEmbedded } = await open(dataDir, { isServerProcess: true });
  expect(isEmbedded).toBe(true);
  const folder = path.join(dataDir, 'postgres');
  expect((await fs.readdir(folder)).filter((name) => !name.startsWith('.s.'))).toEqual([
    'data',
    'password',
    'program.pid',
  ]);
  for (const name of ['.', 'data', 'password'])
    expect((await fs.stat(path.join(folder, name))).mode & 0o077, name).toBe(0);
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses'];
  const values = settings.map(async (name) => (await pool.query(`show ${name}`)).rows[0]?.[name]);
  expect(await Promise.all(values)).toEqual(['on', 'on', 'on', 'on', '']);
});

test.each([
  ['of another major version', { 'postgres/data/PG_VERSION': '17\n' }, 'contains a PostgreSQL 17 database'],
  ['with other files', { 'postgres/data/letters.txt': 'dear' }, 'is not a database'],
  ['that is damaged', { 'postgres/data/PG_VERSION': '18\n' }, "can't be opened: "],
  ['of a pre-release version', { 'db/database/PG_VERSION': '18\n' }, 'contains data from a pre-release version'],
])('a data folder %s is rejected and left unchanged', async (_kind, files, message) => {
  const dataDir = await newDataDir();
  for (const [name, content] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await fs.writeFile(path.join(dataDir, name), content);
  }
  await fs.chmod(dataDir, 0o711);
  await expect(open(dataDir, { isServerProcess: true })).rejects.toThrow(message);
  for (const [name, content] of Object.entries(files))
    expect(await fs.readFile(path.join(dataDir, name), 'utf8')).toBe(content);
});

test.runIf(process.getuid?.() === 0)(
  'the error for root names a DATA_DIR to set if other users can’t enter it',
  async () => {
    const dataDir = await newDataDir();
    await fs.mkdir(dataDir, { mode: 0o700 });
    await expect(open(dataDir, { isServerProcess: true })).rejects.toThrow(
      /can't enter the folder .+ Set DATA_DIR to a folder that every user can access/,
    );
  },
);
