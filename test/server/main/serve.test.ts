// @spec decisions.4
import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { serve } from '#server/main.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createWebFolder, DOCUMENT } from '#test/support/web-folder.ts';

/** Reads settings for a program with its own database and any free port. */
async function readSettings(env: Readonly<Record<string, string>> = {}): Promise<Config> {
  const { databaseUrl } = await createTestDatabaseLocation();
  const folder = await createScratchFolder('serve');
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  return readConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '4',
    ...env,
  });
}

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://fund.example',
  STRIPE_SECRET_KEY: 'sk_live_of_the_test',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test_of_the_program',
  PARENT_NAME: 'Civic Organization',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street',
  CONTACT_EMAIL: 'fund@civic.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DEFAULT_ORG: 'ithaca',
};

/** An unused local address, because tests never contact other machines. */
const UNUSED_URL = 'http://127.0.0.1:9';

const readStatus = async (url: string) => (await fetch(url)).status;

test('the program serves pages, calls, the sandbox, and the mailbox from one port, and can be closed twice', async () => {
  const preparations: boolean[] = [];
  const server = await serve(await readSettings(), {
    webFolder: await createWebFolder(),
    prepare: async ({ settings }) => void preparations.push(settings.production),
  });
  expect(preparations).toEqual([false]);
  expect(server.url).toBe(`http://localhost:${server.port}`);
  expect(await (await fetch(`${server.url}/nobody`)).text()).toBe(DOCUMENT);
  expect(await (await fetch(`${server.url}/api/site`)).json()).toMatchObject({ sandbox: true, defaultOrg: 'sample' });
  for (const path of ['/healthz', '/sandbox/debits', '/dev/mailbox'])
    expect(await readStatus(server.url + path)).toBe(200);
  await server.close();
  await server.close();
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

// @asvs 3.5.4 13.4.2 15.2.3
test('production has no sandbox or mailbox and uses its public address', async () => {
  const config = await readSettings(PRODUCTION);
  const stripe = { kind: 'stripe', secretKey: 'sk_1', webhookSecret: 'whsec_1', apiBase: UNUSED_URL } as const;
  const server = await serve({ ...config, stripe, stopWaitMs: 0 });
  expect(server.url).toBe('https://fund.example');
  const serverUrl = `http://127.0.0.1:${server.port}`;
  expect(await (await fetch(`${serverUrl}/api/site`)).json()).toMatchObject({
    sandbox: false,
    parentName: 'Civic Organization',
  });
  for (const path of ['/sandbox', '/sandbox/debits', '/v1/checkout/sessions', '/dev/mailbox', '/dev/mailbox.json']) {
    expect(await readStatus(serverUrl + path), path).toBe(404);
  }
  await server.close();
});

test('an authenticator code is checked even if it’s the first request after startup', async () => {
  const server = await serve(await readSettings());
  const { db, identity } = server.deps;
  // Inside a transaction, the program's key can't be read.
  const step = inTransaction(db, () => identity.authenticatorCodes.findTimeStep('ada', 'no key', 'no code'));
  expect(await step).toBeUndefined();
  await server.close();
});

test('configured admins with a verified email are admins from the start', async () => {
  const server = await serve(await readSettings({ ADMIN_EMAILS: 'Ada@example.org' }), {
    prepare: async ({ db }) => void (await addUser(db, { id: 'ada', email: 'ada@example.org' })),
  });
  const user = server.deps.db.kysely.selectFrom('users').select('admin').where('id', '=', 'ada');
  expect(await user.executeTakeFirst()).toEqual({ admin: true });
  await server.close();
});

test('a port in use is reported, and everything opened is closed', async () => {
  const blockingServer = createServer().listen(0, 'localhost');
  onTestFinished(() => void blockingServer.close());
  await new Promise((resolve) => blockingServer.once('listening', resolve));
  const { port } = blockingServer.address() as AddressInfo;
  const config = { ...(await readSettings()), port };
  const error = await serve(config).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(
    `Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`,
  );
  const { log } = createLogSpy();
  const reopenedDatabase = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  await reopenedDatabase.close();
});

test('an invalid address is reported before a database is opened', async () => {
  const config = await readSettings();
  const invalidConfig = { ...config, databaseUrl: 'postgres://127.0.0.1:9/nobody', host: '192.0.2.1' };
  await expect(serve(invalidConfig)).rejects.toThrow('HOST: this machine does not have that address.');
});

test('the program listens on HOST and reports an address the machine doesn’t have', async () => {
  const config = await readSettings({ HOST: '127.0.0.1' });
  const server = await serve(config);
  expect(await readStatus(`http://127.0.0.1:${server.port}/healthz`)).toBe(200);
  await expect(fetch(`http://[::1]:${server.port}/healthz`)).rejects.toThrow();
  await server.close();
  // Reserved for documentation, so no one uses it (RFC 5737).
  const startError = await serve({ ...config, host: '192.0.2.1' }).catch((error: unknown) => error);
  expect(startError).toBeInstanceOf(ConfigError);
  expect(String(startError)).toContain('HOST: this machine does not have that address.');
});

test('without its built pages the program doesn’t start and names the missing files', async () => {
  const error = await serve(await readSettings(), { webFolder: '/nowhere/at/all' }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('There are no pages in /nowhere/at/all: run "npm run build", or use a release.');
});

test('a failed preparation is reported, and no port is opened', async () => {
  const config = { ...(await readSettings()), port: 0 };
  const prepare = () => Promise.reject(new Error('no sample'));
  await expect(serve(config, { prepare })).rejects.toThrow('no sample');
  const { log } = createLogSpy();
  const reopenedDatabase = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  await reopenedDatabase.close();
});
