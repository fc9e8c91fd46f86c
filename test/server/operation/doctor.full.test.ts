// @spec decisions.3
import { mkdir, readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { recordDrill } from '#server/features/backups/record-drill.ts';
import { checkConnections, checkReplication, sharesSessions } from '#server/features/operation/check-database.ts';
import { evaluateDiskSpace, evaluateOpenFiles, getCurrentUserName } from '#server/features/operation/check-machine.ts';
import { createSettingsCheck, createSettingsChecks } from '#server/features/operation/settings-checks.ts';
import { errorLabel, runChecks, type SettingCheck } from '#server/gateways/check.ts';
import { toGoogleCheck } from '#server/gateways/identity/check-google.ts';
import { toClockCheck } from '#server/gateways/payments/check-stripe.ts';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';
import { checkPublicAddress, PROBE_PATH, toCertificateCheck, toMarkChecks } from '#server/gateways/public-address.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { openTestDatabase } from '#test/support/database.ts';
import { startObjectStore } from '#test/support/object-store.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import { signIn } from '#test/support/sign-in.ts';
import { createWebhook, startStripeAccount } from '#test/support/stripe-account.ts';

const { db, location } = await openTestDatabase();
const deps = await createTestDeps(db, { settingsCheck: { installationHash: 'the mark', run: async () => [] } });
const publicUrl = await listenLocally(await buildTestApp(deps));
const stripe = await startStripeAccount();
const store = await startObjectStore('pictures', 'canary-id');
const google = await startOpenIdProvider();
const dataDir = await createScratchFolder('doctor');
let password = 'canary-password';
const smtpServer = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (auth, _session, done) =>
    auth.password === password ? done(null, { user: 'fund' }) : done(new Error('535 not canary-password')),
});
await new Promise<void>((resolve) => smtpServer.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await store.close();
  await google.close();
  await new Promise<void>((resolve) => smtpServer.close(() => resolve()));
});
const smtpPort = (smtpServer.server.address() as AddressInfo).port;
const ENV = {
  DATABASE_URL: location.databaseUrl,
  DATA_DIR: dataDir,
  PUBLIC_URL: publicUrl,
  DEFAULT_ORG: 'ithaca',
  STRIPE_SECRET_KEY: 'sk_test_canary-key',
  STRIPE_WEBHOOK_SECRET: `whsec_canary${'x'.repeat(30)}`,
  TEST_SETTINGS: buildTestSettings(stripe.url),
  SMTP_URL: `smtp://fund:canary-password@127.0.0.1:${smtpPort}`,
  PICTURES_TO: buildBucketUrl(store.endpoint),
  GOOGLE_CLIENT_ID: google.client.clientId,
  GOOGLE_CLIENT_SECRET: google.client.clientSecret,
  BACKUP_TO: 's3://pictures/backups',
};

function buildBucketUrl(endpoint: string): string {
  return `s3://canary-id:canary-secret@pictures?endpoint=${endpoint}`;
}

function buildTestSettings(stripeUrl: string, googleUrl: string = google.client.discoveryUrl): string {
  return `stripe=${stripeUrl},google=${googleUrl}`;
}

beforeEach(() => {
  stripe.status = 200;
  stripe.forbiddenPaths.clear();
  stripe.webhooks = [createWebhook(publicUrl + WEBHOOK_PATH)];
  stripe.undeliveredTypes = [];
  store.failWith = undefined;
  password = 'canary-password';
});

/** Runs the doctor with these settings. Fails if a finding contains a secret. @returns findings by subject */
async function runDoctor(
  env: Readonly<Record<string, string>> = {},
  withinMs?: number,
): Promise<Map<string, SettingCheck>> {
  const config = readConfig({ ...ENV, ...env });
  const checks = await runChecks(
    createSettingsChecks({ config, db, installationHash: 'the mark', publicUrl: config.publicUrl ?? '' }),
    withinMs,
  );
  expect(JSON.stringify(checks)).not.toContain('canary');
  expect(JSON.stringify(checks)).not.toContain('the secret of the client');
  return new Map(checks.map((check) => [check.subject, check]));
}

const findFailingStates = (checks: ReadonlyMap<string, SettingCheck>) =>
  Object.fromEntries(
    [...checks].filter(([, { state }]) => state !== 'ok').map(([subject, { state }]) => [subject, state]),
  );

test('doctor passes every check and leaves no test files behind', async () => {
  const checksBefore = await runDoctor();
  expect(checksBefore.get('DEFAULT_ORG')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('“ithaca”'),
  });
  await addOrg(db, { id: 'ithaca', name: 'Ithaca Fund' });
  expect(checksBefore.get('Backups: restore')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/npm run drill/),
  });
  await recordDrill(db, { backup: 'b', backupAt: null, seconds: 9, problem: 'What differs.' }, new Date());
  expect((await runDoctor()).get('Backups: restore')?.text).toMatch(/failed: What differs\. Before that: no restore/);
  await recordDrill(db, { backup: 'b', backupAt: '2026-01-02T03:04:05Z', seconds: 9, problem: null }, new Date());
  const checks = await runDoctor();
  // The tests run as a superuser, who may do everything.
  expect(findFailingStates(checks)).toEqual({ 'Database: privileges': 'warning' });
  expect(checks.get('Version')?.text).toMatch(/^\d+\.\d+\.\d+, on Node v24/);
  const texts = [...checks.values()].map(({ subject, text }) => `${subject}: ${text}`).join('\n');
  for (const part of [
    'up to date',
    '“Ithaca Fund”, US, can charge cards',
    'all 26 events',
    'from the last three days were delivered',
  ])
    expect(texts).toContain(part);
  for (const part of [
    '“/” opens Ithaca Fund',
    'Bucket: a file was written, read, and deleted',
    'Backups: a file was written, read, and deleted',
    'with the backup of 2026-01-02, in 9 s',
    'reaches this installation',
  ])
    expect(texts).toContain(part);
  expect(store.objects.size).toBe(0);
});

test.each<[string, string, () => void, RegExp]>([
  [
    'a key that Stripe rejects',
    'Stripe: key',
    () => {
      stripe.status = 401;
    },
    /rejects STRIPE_SECRET_KEY/,
  ],
  [
    'a restricted key',
    'Stripe: key',
    () => void stripe.forbiddenPaths.add('payouts').add('account'),
    /can’t read Payouts/,
  ],
  [
    'no webhook',
    'Stripe: webhook',
    () => {
      stripe.webhooks = [createWebhook('https://other.example')];
    },
    /there is no endpoint/,
  ],
  ['a live webhook', 'Stripe: webhook', () => editWebhook({ livemode: true }), /there is no endpoint/],
  [
    'a webhook that is off',
    'Stripe: webhook',
    () => editWebhook({ status: 'disabled' }),
    /is disabled\. Run .*connect-stripe/,
  ],
  [
    'a missing event',
    'Stripe: webhook',
    () => editWebhook({ enabled_events: ['invoice.paid'] }),
    /doesn’t send .*charge\.refunded/,
  ],
  ['too many events', 'Stripe: webhook', () => editWebhook({ enabled_events: ['*'] }), /also sends \*/],
  ['another API version', 'Stripe: webhook', () => editWebhook({ api_version: '2019-01-01' }), /2019-01-01/],
  [
    'reports that do not arrive',
    'Stripe: events',
    () => {
      stripe.undeliveredTypes = ['charge.refunded', 'invoice.paid', String(EVENT_TYPES.at(-1))];
    },
    /3 events .*STRIPE_WEBHOOK_SECRET/,
  ],
  [
    'a bucket that rejects writes',
    'Bucket',
    () => {
      store.failWith = 403;
    },
    /cannot be written/,
  ],
  [
    'a backup bucket that rejects writes',
    'Backups',
    () => {
      store.failWith = 403;
    },
    /cannot be written .*BACKUP_TO/,
  ],
  [
    'a wrong password',
    'Email',
    () => {
      password = 'other';
    },
    /rejects the user or password/,
  ],
])('%s is reported with advice', async (_title, subject, introduceFault, pattern) => {
  introduceFault();
  const check = (await runDoctor()).get(subject);
  expect(check?.state).not.toBe('ok');
  expect(check?.text).toMatch(pattern);
});

function editWebhook(change: Partial<(typeof stripe.webhooks)[number]>): void {
  stripe.webhooks = stripe.webhooks.map((webhook) => ({ ...webhook, ...change }));
}

test('a check that doesn’t respond doesn’t delay the others', async () => {
  stripe.status = undefined;
  const checks = await runDoctor({}, 3000);
  expect(checks.get('Stripe: key')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('no response within 3 seconds'),
  });
  expect(checks.get('Bucket')).toMatchObject({ state: 'ok' });
});

test('unreachable services and another installation are errors', async () => {
  const unusedUrl = 'http://127.0.0.1:9';
  const checks = await runDoctor({
    SMTP_URL: 'smtp://127.0.0.1:9',
    PICTURES_TO: buildBucketUrl(unusedUrl),
    PUBLIC_URL: unusedUrl,
    TEST_SETTINGS: buildTestSettings(unusedUrl, `${unusedUrl}/.well-known/openid-configuration`),
  });
  for (const subject of ['Email', 'Bucket', 'Stripe: key', 'Public address', 'Google login'])
    expect(checks.get(subject)).toMatchObject({ state: 'error' });
  for (const subject of ['Bucket', 'Stripe: key']) expect(checks.get(subject)?.text).toMatch(/\(E[A-Z]+\)/);
  const checksWithWrongSecret = await runDoctor({ GOOGLE_CLIENT_SECRET: 'another one' });
  expect(checksWithWrongSecret.get('Google login')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('is invalid'),
  });
});

test.each([
  [new DOMException('', 'TimeoutError'), 'TimeoutError'],
  [Object.assign(new Error(), { code: undefined }), 'Error'],
  [new TypeError('', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }), 'ENOTFOUND'],
  ['a word', 'an unknown error'],
])('failures are described by code or name: %s', (error, kind) => {
  expect(errorLabel(error)).toBe(kind);
});

test('an address this machine doesn’t have is an error', async () => {
  const checkAddress = async (HOST: string) => (await runDoctor({ HOST })).get('Address');
  expect(await checkAddress('127.0.0.1')).toMatchObject({ state: 'ok' });
  // Reserved for documentation (RFC 5737).
  expect(await checkAddress('192.0.2.1')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('EADDRNOTAVAIL'),
  });
});

test('doctor checks that backups can be written, without creating the folder', async () => {
  const folder = path.join(dataDir, 'backups');
  const checkBackups = async (BACKUP_TO: string) => (await runDoctor({ BACKUP_TO })).get('Backups');
  expect(await checkBackups(folder)).toMatchObject({
    state: 'ok',
    text: `${folder} will be created by the first backup.`,
  });
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  await mkdir(folder);
  expect(await checkBackups(folder)).toMatchObject({ state: 'ok', text: 'a file was written, read, and deleted.' });
  expect(await readdir(folder)).toEqual([]);
  expect(await checkBackups('/proc')).toMatchObject({
    state: 'error',
    text: expect.stringMatching(/written.* \(BACKUP_TO\)/),
  });
  const unsetBackups = (await runDoctor({ BACKUP_TO: '' })).get('Backups');
  expect(unsetBackups).toMatchObject({
    state: 'ok',
    text: expect.stringContaining('none are needed outside production'),
  });
});

const MEGABYTE = 1024 ** 2;

test.each([
  [toMarkChecks('https://fund.example', { installation: 'a', forwarding: 'used' }, 'a'), ['ok', 'ok']],
  [toMarkChecks('https://fund.example', { installation: 'a', forwarding: 'used' }, undefined), ['ok', 'ok']],
  [toMarkChecks('https://fund.example', { installation: 'a', forwarding: 'ignored' }, 'a'), ['ok', 'error']],
  [toMarkChecks('https://fund.example', { installation: 'a', forwarding: 'none' }, 'a'), ['ok', 'warning']],
  [toMarkChecks('http://fund.example', { installation: 'a', forwarding: 'none' }, 'a'), ['ok']],
  [toMarkChecks('https://fund.example', { installation: 'b', forwarding: 'used' }, 'a'), ['error']],
  [toMarkChecks('https://fund.example', 'it returns 502', 'a'), ['error']],
  [[toCertificateCheck('CERT_HAS_EXPIRED', new Date(0))], ['error']],
  [[toCertificateCheck(new Date(13 * 86_400_000), new Date(0))], ['warning']],
  [[toCertificateCheck(new Date(14 * 86_400_000), new Date(0))], ['ok']],
  [[toClockCheck('Thu, 01 Jan 1970 00:00:00 GMT', new Date(60_000))], ['ok']],
  [[toClockCheck('Thu, 01 Jan 1970 00:00:00 GMT', new Date(61_000))], ['warning']],
  [[toClockCheck('Thu, 01 Jan 1970 00:00:00 GMT', new Date(-241_000))], ['error']],
  [[toClockCheck(undefined, new Date(0))], ['warning']],
  [[checkConnections({ maxConnections: 76, processCount: 5 }, 10)], ['ok']],
  [[checkConnections({ maxConnections: 75, processCount: 5 }, 10)], ['warning']],
  [[checkConnections({ maxConnections: 32, processCount: 0 }, 10)], ['ok']],
  [checkReplication({ standbyCount: 0, synchronousStandbys: '' }), []],
  [checkReplication({ standbyCount: 1, synchronousStandbys: '' }), ['warning']],
  [checkReplication({ standbyCount: 1, synchronousStandbys: 'ANY 1 (two)' }), ['ok']],
  [[evaluateDiskSpace('Disk', '/data', { free: 255 * MEGABYTE, size: 10_240 * MEGABYTE })], ['error']],
  [[evaluateDiskSpace('Disk', '/data', { free: 500 * MEGABYTE, size: 10_240 * MEGABYTE })], ['warning']],
  [[evaluateDiskSpace('Disk', '/data', { free: 2048 * MEGABYTE, size: 10_240 * MEGABYTE })], ['ok']],
  [[evaluateOpenFiles(1024)], ['warning']],
  [[evaluateOpenFiles(65_536)], ['ok']],
  [[toGoogleCheck('invalid_grant', '')], ['ok']],
  [[toGoogleCheck('invalid_client', '')], ['error']],
  [[toGoogleCheck('redirect_uri_mismatch', '')], ['error']],
  [[toGoogleCheck(undefined, '')], ['warning']],
])('%j', (checks, expected) => {
  expect(checks.map(({ state }) => state)).toEqual(expected);
});

test('a certificate that can’t be read isn’t reported as untrusted', async () => {
  const checks = await checkPublicAddress('https://127.0.0.1:1', undefined);
  expect(checks.find(({ subject }) => subject === 'Certificate')).toMatchObject({
    state: 'error',
    text: 'it could not be read (ECONNREFUSED).',
  });
});

test('a pooler in transaction mode is recognized', async () => {
  expect(await sharesSessions(db.pool)).toBe(false);
  // Each transaction gets the free session that was used last.
  const freeSessions = [1, 2];
  const connect = async () => {
    let session: number | undefined;
    const query = async (text: string) => {
      const current = session ?? freeSessions.pop() ?? 0;
      session = text === 'rollback' || (session === undefined && text !== 'begin') ? undefined : current;
      if (session === undefined) freeSessions.push(current);
      return { rows: [{ pid: current }] };
    };
    return { query, release: () => {} } as unknown as pg.PoolClient;
  };
  expect(await sharesSessions({ connect: connect as pg.Pool['connect'] })).toBe(true);
  expect(freeSessions.toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test('the program reports its installation and how it reads a forwarding header', async () => {
  const app = await buildTestApp(deps);
  const readMark = async (headers = {}) => (await app.inject({ url: PROBE_PATH, headers })).json();
  expect(await readMark()).toEqual({ installation: 'the mark', forwarding: 'none' });
  expect(await readMark({ 'x-forwarded-for': '192.0.2.1' })).toEqual({
    installation: 'the mark',
    forwarding: 'ignored',
  });
});

// Simulates a doctor that runs on the proxy's machine.
test.each(['192.0.2.1', '127.0.0.1'])('a trusted proxy’s header is used for %s', async (address) => {
  const app = await buildApp(deps, { trustedProxies: ['127.0.0.1'] });
  const response = await app.inject({ url: PROBE_PATH, headers: { 'x-forwarded-for': address } });
  await app.close();
  expect(response.json()).toEqual({ installation: 'the mark', forwarding: 'used' });
});

test('a user without a name, as in a container, is shown by number', () => {
  const userInfoSpy = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  expect(getCurrentUserName()).toBe(`the user ${process.getuid?.()}`);
  userInfoSpy.mockRestore();
});

test('admins read the figures, and concurrent doctor requests share one run', async () => {
  let runCount = 0;
  const config = readConfig(ENV);
  const ownCheck = createSettingsCheck({ config, db, installationHash: 'the mark', publicUrl: () => publicUrl });
  const run = () => {
    runCount += 1;
    return ownCheck.run();
  };
  const app = await buildTestApp({ ...deps, settingsCheck: { installationHash: 'the mark', run } });
  const admin = await signIn(deps, { admin: true });
  const checkSettings = () => call(app, 'checkSettings', { params: {}, as: admin });
  const responses = await Promise.all([checkSettings(), checkSettings()]);
  expect(runCount).toBe(2);
  expect(ownCheck.run()).toBe(ownCheck.run());
  for (const response of responses)
    expect(response.json().checks).toContainEqual(expect.objectContaining({ subject: 'Email', state: 'ok' }));
  expect((await call(app, 'readOperationStatus', { params: {}, as: admin })).json()).toMatchObject({
    pendingJobCount: 0,
    oldestJobCreatedAt: null,
    failedEmailCount: 0,
    unsettledCheckouts: 0,
    lastBackupAt: null,
    booksVerifiedAt: null,
  });
});
