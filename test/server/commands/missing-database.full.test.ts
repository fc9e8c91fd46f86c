import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { openExistingAndMigrate } from '#server/db/open-migrated.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// Starting a Node process is slow.
vi.setConfig({ testTimeout: 60_000 });

const folder = await createScratchFolder('missing');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

test('a command rejects a folder without a database and creates none', async () => {
  const missingFolder = path.join(folder, 'typo');
  const child = spawn(process.execPath, ['scripts/admin.ts', 'grant', 'ada@example.org'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, DATA_DIR: missingFolder, NODE_COMPILE_CACHE: 'build/test-compiled' },
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([errors.trim(), child.exitCode]).toEqual([
    `There is no database in ${missingFolder}. Check DATA_DIR, or set DATABASE_URL. For a new fund, start the program first to create the database.`,
    1,
  ]);
  await expect(fs.readdir(missingFolder)).rejects.toThrow('ENOENT');
});

test('a command rejects an empty database', async () => {
  const emptyFolder = path.join(folder, 'empty');
  await (await openDatabase({ dataDir: emptyFolder, log: createLogSpy().log })).close();
  const location = { databaseUrl: undefined, migrateDatabaseUrl: undefined, dataDir: emptyFolder };
  await expect(openExistingAndMigrate(location, createLogSpy().log)).rejects.toThrow(
    `The database is empty (embedded, in ${emptyFolder}/postgres). Check the settings. For a new fund, start the program or run “npm run migrate” to create the tables.`,
  );
});
