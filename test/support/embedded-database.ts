import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#server/db/connection.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { createLogSpy } from './log-spy.ts';

/** Opens embedded databases that close after each test. Call this at the top of a test file. */
export function setUpEmbeddedDatabases() {
  const folders: string[] = [];
  const databases: Database[] = [];
  const killFunctions: (() => Promise<void>)[] = [];

  async function closeAll(): Promise<void> {
    for (const database of databases.splice(0).reverse()) await database.close();
  }
  afterEach(async () => {
    for (const kill of killFunctions.splice(0)) await kill();
    await closeAll();
  });
  deferCleanup(async () => {
    for (const folder of folders) await fs.rm(folder, { recursive: true, force: true });
  });

  /** A data folder that doesn't exist yet, as before the first start. */
  async function newDataDir(): Promise<string> {
    const scratch = await createScratchFolder('embedded');
    folders.push(scratch);
    return path.join(scratch, 'data');
  }

  async function open(dataDir: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
    const database = await openDatabase({ dataDir, log: createLogSpy().log, ...options });
    databases.push(database);
    return database;
  }

  /** Starts a program that writes into the embedded database. */
  function startWritingProcess(dataDir: string) {
    const child = spawn(process.execPath, [path.resolve('test/support/writing-process.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const exit = once(child, 'exit');
    const kill = async () => {
      child.kill('SIGKILL');
      await exit;
    };
    killFunctions.push(kill);
    /** Reads the output up to the first line that starts with `beginning`. */
    const readUntil = async (beginning: string) => {
      const outputLines: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        outputLines.push(line.value);
        if (line.value.startsWith(beginning)) break;
      }
      return outputLines;
    };
    return { pid: child.pid ?? 0, kill, readUntil };
  }

  return { newDataDir, open, closeAll, startWritingProcess };
}

/** Reads the numbers inserted by the writing process. */
export async function readWrittenNumbers({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>('select number from written order by number');
  return rows.map(({ number }) => number);
}
