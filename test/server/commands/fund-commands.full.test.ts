// @spec 7.create-org 7.add-editor decisions.4
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/connection.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// Each command runs as a separate process and opens a database.
vi.setConfig({ testTimeout: 60_000 });

const { databaseUrl } = await createTestDatabaseLocation();

async function runCommand(script: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: 'http://fund.test',
      NODE_COMPILE_CACHE: 'build/test-compiled',
    },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: output.trim(), errors: errors.trim(), status: child.exitCode };
}

const ITHACA = ['--slug', 'ithaca', '--name', 'Ithaca Fund', '--tag', 'Warm homes'];

test('a fund and its editors are added from the command line, and the running program emails them', async () => {
  const result = await runCommand('create-org', ...ITHACA, '--editor', 'Ada@Example.org');
  expect(result).toEqual({
    output: 'Created Ithaca Fund: http://fund.test/orgs/ithaca. Ada@Example.org, its first editor, will get an email.',
    errors: '',
    status: 0,
  });
  expect((await runCommand('add-editor', 'ithaca', 'Bo@example.org', '--role', 'money')).output).toMatch(
    /^bo@example\.org was invited by email to become .+ of Ithaca Fund\.$/,
  );
  const db = await openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log });
  const invitations = await db.kysely.selectFrom('invitations').selectAll().orderBy('email').execute();
  const { rows } = await db.pool.query(`select data from pgboss.job where name = 'send-invitation-email'`);
  await db.kysely.insertInto('users').values({ id: 'lena', email: 'lena@example.org', email_verified: true }).execute();
  await db.close();
  expect(invitations).toMatchObject([
    { email: 'ada@example.org', role: 'editor', invited_by: null },
    { email: 'bo@example.org', role: 'money', invited_by: null },
  ]);
  expect(rows).toHaveLength(2);
  expect((await runCommand('add-editor', 'ithaca', 'lena@example.org')).output).toMatch(
    /^lena@example\.org is now .+ of Ithaca Fund\.$/,
  );
});

test('invalid commands explain the problem and exit with 1', async () => {
  const duplicateFund = await runCommand('create-org', ...ITHACA, '--editor', 'ada@example.org');
  expect([duplicateFund.status, duplicateFund.errors]).toEqual([1, expect.stringContaining('ithaca')]);
  expect((await runCommand('add-editor', 'elmira', 'ada@example.org')).errors).toBe('There is no fund “elmira”.');
  expect(await runCommand('add-editor', 'ithaca', 'nobody')).toMatchObject({
    errors: 'Not a valid email: nobody',
    status: 1,
  });
  for (const [script, ...args] of [
    ['create-org', '--slug', 'elmira'],
    ['add-editor', 'ithaca'],
  ] as const)
    expect(await runCommand(script, ...args)).toMatchObject({
      errors: expect.stringContaining(`npm run ${script}`),
      status: 1,
    });
  expect((await runCommand('create-org', '--slug', 'elmira')).errors).toContain('--slug, --name, --tag, and --editor');
  expect((await runCommand('add-editor', 'ithaca', 'ada@example.org', '--role', 'owner')).errors).toBe(
    'There is no role “owner”. The roles are: editor, texts, stories, money, reader.',
  );
});
