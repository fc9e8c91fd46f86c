import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { FOLDER_VERSION } from '#server/db/embedded.ts';
import { watchedLog } from '#test/support/watched-log.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await scratchFolder('folder');
});
afterEach(() => fs.rm(dataDir, { recursive: true, force: true }));

const open = (folder = dataDir) => openDatabase({ dataDir: folder, log: watchedLog().log });
const database = (...names: string[]) => path.join(dataDir, 'database', ...names);

vi.setConfig({ testTimeout: 600_000 });

test('the first start creates the folder, readable only by its owner, and nothing else', async () => {
  const folder = path.join(dataDir, 'not', 'there');
  await fs.mkdir(path.join(folder, 'database'), { recursive: true });
  await fs.mkdir(path.join(folder, 'database.new-abc', 'base'), { recursive: true });
  await (await open(folder)).close();
  expect(await fs.readdir(folder)).toEqual(['database']);
  expect((await fs.stat(path.join(folder, 'database'))).mode & 0o077).toBe(0);
  expect((await fs.readFile(path.join(folder, 'database', 'PG_VERSION'), 'utf8')).trim()).toBe(FOLDER_VERSION);
});

test('a folder of another version is refused unchanged, with what to do', async () => {
  await fs.mkdir(database());
  await fs.writeFile(database('PG_VERSION'), '17\n');
  await expect(open()).rejects.toThrow(
    `The folder ${database()} contains a database of PostgreSQL 17, but this version of the program uses PostgreSQL 18.`,
  );
  expect(await fs.readdir(database())).toEqual(['PG_VERSION']);
});

test('a folder with other content is refused unchanged', async () => {
  await fs.mkdir(database());
  await fs.writeFile(database('letters.txt'), 'dear');
  await expect(open()).rejects.toThrow(`The folder ${database()} is not a database`);
  expect(await fs.readdir(database())).toEqual(['letters.txt']);
});

test('a damaged database is refused with a clear message', async () => {
  await fs.mkdir(database());
  await fs.writeFile(database('PG_VERSION'), FOLDER_VERSION);
  await expect(open()).rejects.toThrow(`The database in ${database()} could not be opened.`);
});

test('a refused start leaves the folder unlocked', async () => {
  await fs.mkdir(database());
  await fs.writeFile(database('PG_VERSION'), '17\n');
  await expect(open()).rejects.toThrow('PostgreSQL 17');
  await expect(open()).rejects.toThrow('PostgreSQL 17');
});
