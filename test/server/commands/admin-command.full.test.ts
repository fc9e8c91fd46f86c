// @spec 7.sign-in decisions.4
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/connection.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// Each command starts a process and opens a database.
vi.setConfig({ testTimeout: 60_000 });

const { databaseUrl } = await createTestDatabaseLocation();

/** Runs the program behind `npm run admin -- …`. */
async function runAdmin(...args: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/admin.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      ADMIN_EMAILS: 'named@example.org',
      NODE_COMPILE_CACHE: 'build/test-compiled',
    },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: output.trim(), errors: errors.trim(), status: child.exitCode };
}

test('admins are added, listed, and removed from the command line', async () => {
  expect(await runAdmin('grant', 'Ada@Example.org')).toEqual({
    output: 'ada@example.org will become an admin once the address is verified, for example with a sign-in link.',
    errors: '',
    status: 0,
  });
  expect((await runAdmin('grant', 'named@example.org')).status).toBe(0);
  expect((await runAdmin('list')).output).toBe(
    'ada@example.org    (not verified yet)\nnamed@example.org    (not verified yet)',
  );
  expect((await runAdmin('revoke', 'named@example.org')).output).toBe(
    'named@example.org is no longer an admin. ADMIN_EMAILS still contains this address and will make it an admin again. Remove it there, too.',
  );
});

// @asvs 7.4.5
test('the log-out command ends all of a user’s sessions', async () => {
  const database = await openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log });
  await database.kysely.insertInto('users').values({ id: 'lena', email: 'lena@example.org' }).execute();
  await database.close();
  expect((await runAdmin('log-out', 'Lena@example.org')).output).toBe(
    'lena@example.org was logged out on all devices.',
  );
  expect((await runAdmin('log-out', 'nobody@example.org')).errors).toBe('We couldn’t find this person.');
});

test('the remove-second-factor command removes the authenticator and queues an email to the user', async () => {
  const openDb = async () => openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log });
  const initialDb = await openDb();
  await initialDb.kysely.insertInto('users').values({ id: 'mila', email: 'mila@example.org' }).execute();
  const authenticator = { user_id: 'mila', key: 'a key', last_step: 0 };
  await initialDb.kysely.insertInto('authenticators').values(authenticator).execute();
  await initialDb.close();
  expect((await runAdmin('remove-second-factor', 'Mila@example.org')).output).toBe(
    'mila@example.org can now log in without a second step and was logged out on all devices. An email will let them know.',
  );
  const finalDb = await openDb();
  expect(await finalDb.kysely.selectFrom('authenticators').selectAll().execute()).toEqual([]);
  const { rows } = await finalDb.pool.query(
    `select name, data from pgboss.job where name = 'send-second-factor-email'`,
  );
  await finalDb.close();
  expect(rows).toMatchObject([{ data: { userId: 'mila', change: 'removed-by-admin' } }]);
});

test('invalid commands print a message and exit with 1', async () => {
  expect(await runAdmin('revoke', 'nobody@example.org')).toMatchObject({
    errors: 'We couldn’t find this person.',
    status: 1,
  });
  for (const args of [
    [],
    ['grant'],
    ['promote', 'ada@example.org'],
    ['list', 'ada@example.org'],
    ['grant', 'a', 'b'],
  ]) {
    const { errors, status } = await runAdmin(...args);
    expect([errors.split('\n')[0], status]).toEqual([
      expect.stringMatching(
        /^npm run admin -- grant someone@example\.org {2,}makes the person with this address an admin$/,
      ),
      1,
    ]);
  }
});
