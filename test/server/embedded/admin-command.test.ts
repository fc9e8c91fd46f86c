import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { testDatabasePlace } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

// Each command is a program of its own, and opens a database.
vi.setConfig({ testTimeout: 60_000 });

const folder = await scratchFolder('admin');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
await fs.rename((await testDatabasePlace()).dataDir, path.join(folder, 'db'));

/** `npm run admin -- …`, as the program that it runs. */
async function admin(...args: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/admin.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      ADMIN_EMAILS: 'named@example.org',
      NODE_COMPILE_CACHE: 'build/test-compiled',
    },
  });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { said: said.trim(), complained: complained.trim(), status: child.exitCode };
}

test('admins are made, listed and dismissed from the command line', async () => {
  expect(await admin('grant', 'Ada@Example.org')).toEqual({
    said: 'ada@example.org is an admin as soon as the address is proven: by a sign-in link, for instance.',
    complained: '',
    status: 0,
  });
  expect((await admin('grant', 'named@example.org')).status).toBe(0);
  expect((await admin('list')).said).toBe('ada@example.org    (not proven yet)\nnamed@example.org    (not proven yet)');
  expect((await admin('revoke', 'named@example.org')).said).toBe(
    'named@example.org is no admin. ADMIN_EMAILS names this address, and makes it one again: take it out of there.',
  );
});

test('what cannot be done is said in a sentence, with status 1', async () => {
  expect(await admin('revoke', 'nobody@example.org')).toMatchObject({
    complained: 'This person does not exist.',
    status: 1,
  });
  for (const wrong of [
    [],
    ['grant'],
    ['promote', 'ada@example.org'],
    ['list', 'ada@example.org'],
    ['grant', 'a', 'b'],
  ]) {
    const { complained, status } = await admin(...wrong);
    expect([complained.split('\n')[0], status]).toEqual([
      'npm run admin -- grant someone@example.org    makes an admin of whoever has, or proves, this address',
      1,
    ]);
  }
});

test('while the program runs on the folder, that is said', async () => {
  const running = await openDatabase({ dataDir: path.join(folder, 'db'), log: watchedLog().log });
  const { complained, status } = await admin('list');
  await running.close();
  expect(complained).toMatch(/^The data folder .+ is in use by .+ Stop that one first/);
  expect(status).toBe(1);
});
