import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { testDatabasePlace } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

// Each of them starts several processes, or makes a database from nothing.
vi.setConfig({ testTimeout: 600_000 });

const { dataDir } = await testDatabasePlace();
const emptyFolder = await scratchFolder('first');
afterAll(() => fs.rm(emptyFolder, { recursive: true }));
const program = path.resolve('test/support/writing-process.ts');
const living = new Set<() => Promise<void>>();
afterEach(() => Promise.all([...living].map((kill) => kill())));

/** Starts a process that writes into the folder. */
function startWriting(folder: string) {
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
    living.delete(kill);
  };
  living.add(kill);
  /** Reads what it says up to a line that begins so, that line being the last; to the end without one. */
  const readUntil = async (beginning: string) => {
    const read: string[] = [];
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      read.push(line.value);
      if (line.value.startsWith(beginning)) break;
    }
    return read;
  };
  return { pid: child.pid, kill, readUntil };
}

const numbersIn = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('wrote ')).map((line) => Number(line.slice('wrote '.length)));

async function writtenNumbers(): Promise<number[]> {
  const { log, complaints } = watchedLog();
  const database = await openDatabase({ dataDir, log });
  const { rows } = await database.pool.query<{ number: number }>('select number from written order by number');
  await database.close();
  expect(complaints).toEqual([]);
  return rows.map((row) => row.number);
}

test('everything acknowledged before a kill -9 is there afterwards, once', async () => {
  const acknowledged: number[] = [];
  // Different moments: during the first rows, and further on.
  for (const rows of [1, 23, 137]) {
    const writing = startWriting(dataDir);
    await writing.readUntil('open');
    const first = numbersIn(await writing.readUntil('wrote '));
    const until = (first[0] ?? 0) + rows;
    acknowledged.push(...first, ...numbersIn(await writing.readUntil(`wrote ${until}`)));
    await writing.kill();
    // What it said between the last line that was read and its end.
    acknowledged.push(...numbersIn(await writing.readUntil('end')));

    const written = await writtenNumbers();
    expect(acknowledged.length).toBeGreaterThan(rows);
    expect(written).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(written).size).toBe(written.length);
    // One more may have been written and not yet reported.
    expect(written.length - acknowledged.length).toBeLessThanOrEqual(3);
  }
});

test('only one process can open the folder, and after a kill -9 it opens again', async () => {
  const writing = startWriting(dataDir);
  await writing.readUntil('open');
  const second = openDatabase({ dataDir, log: watchedLog().log });
  await expect(second).rejects.toThrow(`The data folder ${dataDir} is in use by process ${writing.pid}.`);
  await writing.kill();
  expect((await writtenNumbers()).length).toBeGreaterThan(0);
});

test('after a kill -9 during the first start, the next start works', async () => {
  const starting = startWriting(emptyFolder);
  await starting.readUntil('log creating the database');
  await starting.kill();
  expect(await fs.readdir(emptyFolder)).not.toContain('database');

  const database = await openDatabase({ dataDir: emptyFolder, log: watchedLog().log });
  await database.pool.query('create table fruits (id text)');
  await database.close();
  expect(await fs.readdir(emptyFolder)).toEqual(['database']);
});
