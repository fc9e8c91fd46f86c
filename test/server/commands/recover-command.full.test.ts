// @spec decisions.3
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { getOrCreateSecret } from '#server/gateways/identity/identity.store.ts';
import { createPayments } from '#server/gateways/payments/create-payments.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { listenLocally, PAYER, VALID_CARD } from '#test/support/card-provider.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// The command starts a process and opens a database.
vi.setConfig({ testTimeout: 60_000 });

const folder = await createScratchFolder('recover');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
const { databaseUrl } = await createTestDatabaseLocation();

async function runCommand(script: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      NODE_COMPILE_CACHE: 'build/test-compiled',
    },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { lines: output.trim().split('\n'), errors: errors.trim(), status: child.exitCode };
}

const reopenDatabase = () => openDatabase({ databaseUrl, dataDir: folder, log: createLogSpy().log });

/** Adds a gift to the sandbox but not to the database, as after a restore. */
async function addLostGift(): Promise<void> {
  const db = await reopenDatabase();
  const orgId = await addOrg(db);
  const sandbox = await buildSandboxServer({
    stateFile: path.join(folder, 'sandbox.sqlite'),
    webhookUrl: () => '',
    webhookSecret: '',
    publicUrl: () => address,
    deliversAutomatically: false,
    log: { warn: () => {}, error: () => {} },
  });
  const address: string = await listenLocally(sandbox);
  const payments = createPayments(
    { kind: 'sandbox' },
    {
      installation: await getOrCreateSecret(db.kysely, 'installation', 'this one'),
      now: () => new Date(),
      sandbox: { address: () => address, webhookSecret: '' },
    },
  );
  const session = await payments.createSession({
    orgId,
    orgName: 'Ithaca',
    checkoutId: 'lost',
    cart: '',
    userId: undefined,
    giftKey: 'key',
    lines: [{ name: 'Donation', description: 'Donation to carbon offset program', amount: 2500 }],
    successUrl: 'https://fund.example/',
    cancelUrl: 'https://fund.example/',
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  if (session instanceof Failure) throw session;
  const body = new URLSearchParams({ ...PAYER, number: VALID_CARD, expiry: '12/34', cvc: '123' });
  await fetch(session.url, { method: 'POST', body, redirect: 'manual' });
  await sandbox.close();
  await db.close();
}

test('recovery requires the highest receipt number that any donor has', async () => {
  const output = await runCommand('recover', '--write');
  expect(output).toMatchObject({ status: 1, lines: [''] });
  expect(output.errors).toMatch(/^Add --last-receipt with the highest receipt number that was mailed or printed/);
});

test('a lost gift is recovered from the command line, and its receipt is queued', async () => {
  await addLostGift();
  const output = await runCommand('recover', '--write', '--last-receipt', '1250');
  expect(output).toMatchObject({ status: 0, errors: '' });
  expect(output.lines.at(-1)).toBe('The books and the payment provider agree.');
  const db = await reopenDatabase();
  const { rows } = await sql<{ name: string }>`select name from pgboss.job where data ? 'receiptNumber'`.execute(
    db.kysely,
  );
  await db.close();
  expect(rows).toEqual([{ name: 'send-receipt-email' }]);
  expect(output.lines).toContainEqual(expect.stringMatching(/^Receipt numbers \d+ to 1250 are skipped/));
});
