// @spec decisions.9
// Slow because each test starts PostgreSQL, stops it, and starts it again.
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readWrittenNumbers, setUpEmbeddedDatabases } from '#test/support/embedded-database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const { newDataDir, open, closeAll, startWritingProcess } = setUpEmbeddedDatabases();

const readServerPid = async (dataDir: string) =>
  Number.parseInt(await fs.readFile(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);

const parseNumbers = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('wrote ')).map((line) => Number(line.slice('wrote '.length)));

test('kill -9 of the program ends its server and loses no acknowledged row', async () => {
  const dataDir = await newDataDir();
  const acknowledgedNumbers: number[] = [];
  for (const rowCount of [1, 50]) {
    const writer = startWritingProcess(dataDir);
    await writer.readUntil('open');
    const [firstNumber = 0] = parseNumbers(await writer.readUntil('wrote '));
    acknowledgedNumbers.push(firstNumber, ...parseNumbers(await writer.readUntil(`wrote ${firstNumber + rowCount}`)));
    const serverPid = await readServerPid(dataDir);
    await writer.kill();
    acknowledgedNumbers.push(...parseNumbers(await writer.readUntil('the end of the output')));
    // The next start waits for the dying server.
    const database = await open(dataDir, { isServerProcess: true });
    expect(await readServerPid(dataDir)).not.toBe(serverPid);
    const numbers = await readWrittenNumbers(database);
    expect(numbers).toEqual(expect.arrayContaining(acknowledgedNumbers));
    // One more row may have been written but not reported.
    expect(numbers.length - acknowledgedNumbers.length).toBeLessThanOrEqual(2);
    await database.close();
  }
});

test('kill -9 of the server restarts it with all committed rows', async () => {
  const dataDir = await newDataDir();
  const { log, loggedProblems } = createLogSpy();
  const { pool } = await open(dataDir, { isServerProcess: true, log });
  await pool.query('create table fruits (name text)');
  await pool.query(`insert into fruits values ('apple')`);
  process.kill(await readServerPid(dataDir), 'SIGKILL');
  const countRows = () =>
    pool.query('select * from fruits').then(
      ({ rows }) => rows.length,
      () => undefined,
    );
  await expect.poll(() => loggedProblems.join()).toContain('the embedded database is running again');
  await expect.poll(countRows).toBe(1);
});

test('a start killed while creating the cluster doesn’t block the next start', async () => {
  const dataDir = await newDataDir();
  const writer = startWritingProcess(dataDir);
  await writer.readUntil('log creating the database');
  await writer.kill();
  await open(dataDir, { isServerProcess: true });
  expect((await fs.readdir(path.join(dataDir, 'postgres'))).filter((name) => name.includes('new'))).toEqual([]);
});

test('of two simultaneous first starts, one creates the database and the other is rejected', async () => {
  const dataDir = await newDataDir();
  // Containers that share a volume can have the same process id, as here.
  const starts = await Promise.allSettled([1, 2].map(() => open(dataDir, { isServerProcess: true })));
  const reasons = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
  expect(reasons).toEqual([expect.stringContaining(`The data folder ${dataDir} is in use by`)]);
  await closeAll();
  await (await open(dataDir, { isServerProcess: true })).pool.query('select 1');
  expect((await fs.readdir(path.join(dataDir, 'postgres'))).filter((name) => name.includes('new'))).toEqual([]);
});

test('a second program is rejected and names the first; a command shares the running server', async () => {
  const dataDir = await newDataDir();
  const writer = startWritingProcess(dataDir);
  await writer.readUntil('wrote 3');
  await expect(open(dataDir, { isServerProcess: true })).rejects.toThrow(
    `The data folder ${dataDir} is in use by process ${writer.pid}. Stop that process, or set DATA_DIR to another folder, or DATABASE_URL`,
  );
  expect((await readWrittenNumbers(await open(dataDir, { create: false }))).length).toBeGreaterThanOrEqual(3);
});

test('a data folder whose path is too long for a socket gets a short socket folder', async () => {
  const dataDir = path.join(await newDataDir(), 'd'.repeat(60), 'e'.repeat(60));
  const { pool } = await open(dataDir, { isServerProcess: true });
  const { rows } = await pool.query<{ folder: string }>(`select current_setting('unix_socket_directories') as folder`);
  const folder = rows[0]?.folder.replaceAll('"', '') ?? '';
  expect(folder.length).toBeLessThan(90);
  await (await open(dataDir)).pool.query('select 1');
  await closeAll();
  await expect(fs.stat(folder)).rejects.toThrow('ENOENT');
});
