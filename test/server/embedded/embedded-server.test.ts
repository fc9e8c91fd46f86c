// @spec decisions.9
// Slow because most of its tests start PostgreSQL, end it, and start it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#server/db/connection.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const folders: string[] = [];
const opened: Database[] = [];
const killers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const kill of killers.splice(0)) await kill();
  for (const database of opened.splice(0).reverse()) await database.close();
});
afterAll(async () => {
  for (const folder of folders) await fs.rm(folder, { recursive: true, force: true });
});

async function newDataDir(): Promise<string> {
  const scratch = await scratchFolder('embedded');
  folders.push(scratch);
  // It doesn't exist yet, as before the first start.
  return path.join(scratch, 'data');
}

async function open(dataDir: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ dataDir, log: watchedLog().log, ...options });
  opened.push(database);
  return database;
}

const serverPid = async (dataDir: string) =>
  Number.parseInt(await fs.readFile(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);

/** Starts a program that writes into the embedded database. */
function startWriting(dataDir: string) {
  const child = spawn(process.execPath, [path.resolve('test/support/writing-process.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  killers.push(kill);
  /** Reads its output up to a line with this beginning. */
  const readUntil = async (beginning: string) => {
    const read: string[] = [];
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      read.push(line.value);
      if (line.value.startsWith(beginning)) break;
    }
    return read;
  };
  return { pid: child.pid ?? 0, kill, readUntil };
}

const numbersIn = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('wrote ')).map((line) => Number(line.slice('wrote '.length)));

async function writtenNumbers({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>('select number from written order by number');
  return rows.map(({ number }) => number);
}

test('the first start creates a durable cluster that only its owner can read', async () => {
  const dataDir = await newDataDir();
  const { pool, isEmbedded } = await open(dataDir, { isProgram: true });
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

test('a second program is rejected and names the first; a command shares the running server', async () => {
  const dataDir = await newDataDir();
  const writer = startWriting(dataDir);
  await writer.readUntil('wrote 3');
  await expect(open(dataDir, { isProgram: true })).rejects.toThrow(
    `The data folder ${dataDir} is in use by process ${writer.pid}. Stop that process, or set DATA_DIR to another folder, or DATABASE_URL`,
  );
  expect((await writtenNumbers(await open(dataDir, { create: false }))).length).toBeGreaterThanOrEqual(3);
});

test('kill -9 of the program ends its server and loses no acknowledged row', async () => {
  const dataDir = await newDataDir();
  const acknowledged: number[] = [];
  for (const rows of [1, 50]) {
    const writer = startWriting(dataDir);
    await writer.readUntil('open');
    const [first = 0] = numbersIn(await writer.readUntil('wrote '));
    acknowledged.push(first, ...numbersIn(await writer.readUntil(`wrote ${first + rows}`)));
    const server = await serverPid(dataDir);
    await writer.kill();
    acknowledged.push(...numbersIn(await writer.readUntil('the end of the output')));
    // The next start waits for the dying server.
    const database = await open(dataDir, { isProgram: true });
    expect(await serverPid(dataDir)).not.toBe(server);
    const numbers = await writtenNumbers(database);
    expect(numbers).toEqual(expect.arrayContaining(acknowledged));
    // One more may have been written but not reported.
    expect(numbers.length - acknowledged.length).toBeLessThanOrEqual(2);
    await database.close();
  }
});

test('kill -9 of the server restarts it with all committed rows', async () => {
  const dataDir = await newDataDir();
  const { log, complaints } = watchedLog();
  const { pool } = await open(dataDir, { isProgram: true, log });
  await pool.query('create table fruits (name text)');
  await pool.query(`insert into fruits values ('apple')`);
  process.kill(await serverPid(dataDir), 'SIGKILL');
  const count = () =>
    pool.query('select * from fruits').then(
      ({ rows }) => rows.length,
      () => undefined,
    );
  await expect.poll(() => complaints.join()).toContain('the embedded database runs again');
  await expect.poll(count).toBe(1);
});

test('a start killed while creating the cluster leaves nothing in the way', async () => {
  const dataDir = await newDataDir();
  const starting = startWriting(dataDir);
  await starting.readUntil('log creating the database');
  await starting.kill();
  await open(dataDir, { isProgram: true });
  expect((await fs.readdir(path.join(dataDir, 'postgres'))).filter((name) => name.includes('new'))).toEqual([]);
});

test('a path too long for a socket gets a short folder', async () => {
  const dataDir = path.join(await newDataDir(), 'd'.repeat(60), 'e'.repeat(60));
  const { pool } = await open(dataDir, { isProgram: true });
  const { rows } = await pool.query<{ folder: string }>(`select current_setting('unix_socket_directories') as folder`);
  const folder = rows[0]?.folder.replaceAll('"', '') ?? '';
  expect(folder.length).toBeLessThan(90);
  await (await open(dataDir)).pool.query('select 1');
  for (const database of opened.splice(0).reverse()) await database.close();
  await expect(fs.stat(folder)).rejects.toThrow('ENOENT');
});

test.each([
  ['of another major version', { 'postgres/data/PG_VERSION': '17\n' }, 'contains a database of PostgreSQL 17'],
  ['with other files', { 'postgres/data/letters.txt': 'dear' }, 'is not a database'],
  ['that is damaged', { 'postgres/data/PG_VERSION': '18\n' }, "can't be opened: "],
  ['of a pre-release version', { 'db/database/PG_VERSION': '18\n' }, 'contains data of a pre-release version'],
])('a data folder %s is rejected and unchanged', async (_kind, files, message) => {
  const dataDir = await newDataDir();
  for (const [name, content] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await fs.writeFile(path.join(dataDir, name), content);
  }
  await fs.chmod(dataDir, 0o711);
  await expect(open(dataDir, { isProgram: true })).rejects.toThrow(message);
  for (const [name, content] of Object.entries(files))
    expect(await fs.readFile(path.join(dataDir, name), 'utf8')).toBe(content);
});

test.runIf(process.getuid?.() === 0)('root is told which DATA_DIR to set if others can’t enter it', async () => {
  const dataDir = await newDataDir();
  await fs.mkdir(dataDir, { mode: 0o700 });
  await expect(open(dataDir, { isProgram: true })).rejects.toThrow(
    /can't enter the folder .+ Set DATA_DIR to a folder that every user may enter/,
  );
});
