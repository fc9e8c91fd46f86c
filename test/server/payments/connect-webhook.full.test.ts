// @spec decisions.3
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import Stripe from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { connectWebhook } from '#server/gateways/payments/connect-webhook.ts';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';
import { openReceiver, openSandbox, sessionRequest } from '#test/server/sandbox/open-sandbox.ts';

const scratch = await createScratchFolder('connect-stripe');
afterAll(() => fs.rm(scratch, { recursive: true, force: true }));

const NO_EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['charge.captured'];

async function openAccount() {
  const receiver = await openReceiver();
  const sandbox = await openSandbox({ deliversAutomatically: false });
  const secrets: string[] = [];
  const connect = (hasSecret = secrets.length > 0) =>
    connectWebhook({
      secretKey: 'sk_test_1',
      apiBase: () => sandbox.base,
      webhookUrl: receiver.url,
      hasSecret,
      saveSecret: async (secret) => void secrets.push(secret),
    });
  const listEndpoints = async () => (await sandbox.stripe.webhookEndpoints.list()).data;
  return { ...sandbox, receiver, secrets, connect, listEndpoints };
}

test('creates a webhook for every event type and stores its signing secret', async () => {
  const { connect, listEndpoints, secrets, receiver, ...sandbox } = await openAccount();
  expect(await connect()).toBe('created');
  expect(await listEndpoints()).toMatchObject([
    { url: receiver.url, status: 'enabled', enabled_events: EVENT_TYPES, api_version: Stripe.API_VERSION },
  ]);
  await sandbox.payByCard(await sandbox.stripe.checkout.sessions.create(sessionRequest()));
  await sandbox.handle.deliverPending();
  expect(receiver.types()).toContain('checkout.session.completed');
  expect(receiver.types().filter((type) => !EVENT_TYPES.includes(type))).toEqual([]);
  const [deliveredEvent] = receiver.events;
  expect(
    Stripe.webhooks.constructEvent(deliveredEvent?.body ?? '', deliveredEvent?.signature ?? '', secrets[0] ?? '').type,
  ).toMatch(/\./);
  expect(await connect()).toBe('unchanged');
  expect(secrets).toHaveLength(1);
});

test('repairs a webhook that lacks event types or is disabled, and keeps its secret', async () => {
  const { connect, listEndpoints, stripe, secrets } = await openAccount();
  await connect();
  const [endpoint] = await listEndpoints();
  for (const damage of [{ enabled_events: NO_EVENTS }, { disabled: true }]) {
    await stripe.webhookEndpoints.update(endpoint?.id ?? '', damage);
    expect(await connect()).toBe('repaired');
    expect(await listEndpoints()).toMatchObject([{ id: endpoint?.id, status: 'enabled', enabled_events: EVENT_TYPES }]);
  }
  expect(secrets).toHaveLength(1);
});

test('replaces webhooks that can’t be repaired, and doesn’t touch other programs’ webhooks', async () => {
  const { connect, listEndpoints, stripe, secrets, receiver } = await openAccount();
  const otherEndpoint = await stripe.webhookEndpoints.create({
    url: 'https://other.example/hook',
    enabled_events: NO_EVENTS,
  });
  // Simulates webhooks created by hand, which use the account's API version.
  await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
  expect(await connect(true)).toBe('created');
  await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
  expect(await connect()).toBe('created');
  expect(await connect(false)).toBe('created');
  expect((await listEndpoints()).map(({ url }) => url)).toEqual([receiver.url, otherEndpoint.url]);
  expect(new Set(secrets).size).toBe(3);
});

test('keeps the old webhook if the new secret can’t be stored', async () => {
  const { connect, listEndpoints, base, receiver } = await openAccount();
  await connect();
  const attempt = connectWebhook({
    secretKey: 'sk_test_1',
    apiBase: () => base,
    webhookUrl: receiver.url,
    hasSecret: false,
    saveSecret: () => Promise.reject(new Error('The disk is full.')),
  });
  await expect(attempt).rejects.toThrow('The disk is full.');
  expect(await listEndpoints()).toHaveLength(2);
  expect(await connect()).toBe('created');
  expect(await listEndpoints()).toHaveLength(1);
});

test('explains what to do if Stripe rejects the key', async () => {
  const { base, receiver } = await openAccount();
  const attempt = connectWebhook({
    secretKey: 'rk_1',
    apiBase: () => base,
    webhookUrl: receiver.url,
    hasSecret: false,
    saveSecret: async () => {},
  });
  await expect(attempt).rejects.toThrow('Stripe rejects STRIPE_SECRET_KEY.');
});

/** Runs `npm run connect-stripe -- …` in a folder with settings. */
async function connectStripe(settings: string | undefined, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const folder = await fs.mkdtemp(path.join(scratch, 'settings-'));
  const file = path.join(folder, '.env');
  if (settings !== undefined) await fs.writeFile(file, settings, { mode: 0o640 });
  const child = spawn(process.execPath, [path.resolve('scripts/connect-stripe.ts'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: path.resolve('build/test-compiled'), ...env },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { file, output: output + errors, status: child.exitCode };
}

test('the command stores the secret in .env and keeps the other settings', async () => {
  const { base, listEndpoints } = await openAccount();
  const settings = `PUBLIC_URL='http://fund.test'\nSTRIPE_SECRET_KEY='sk_test_1'\nTEST_SETTINGS='stripe=${base}'\n`;
  const { file, status, output } = await connectStripe(settings, []);
  expect([status, output]).toEqual([
    0,
    expect.stringContaining(`Created the webhook for http://fund.test${WEBHOOK_PATH}`),
  ]);
  const storedSettings = await fs.readFile(file, 'utf8');
  expect(storedSettings.startsWith(settings)).toBe(true);
  expect(parseEnv(storedSettings).STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_.{26,}$/);
  expect((await fs.stat(file)).mode & 0o777).toBe(0o640);
  expect(output).not.toContain('whsec_');

  const secondRun = await connectStripe(storedSettings, ['--new-secret']);
  const renewedSettings = await fs.readFile(secondRun.file, 'utf8');
  expect([renewedSettings.match(/STRIPE_WEBHOOK_SECRET/g), renewedSettings === storedSettings]).toEqual([
    ['STRIPE_WEBHOOK_SECRET'],
    false,
  ]);
  expect((await connectStripe(renewedSettings, [])).output).toContain('Nothing was changed.');
  expect(await listEndpoints()).toHaveLength(1);
});

test('without a settings file, the command creates nothing unless it may print the secret', async () => {
  const { base, listEndpoints } = await openAccount();
  const env = { PUBLIC_URL: 'http://fund.test', STRIPE_SECRET_KEY: 'sk_test_1', TEST_SETTINGS: `stripe=${base}` };
  const refusedRun = await connectStripe(undefined, [], env);
  expect([refusedRun.status, refusedRun.output, await listEndpoints()]).toEqual([
    1,
    expect.stringContaining('--print'),
    [],
  ]);
  const printedRun = await connectStripe(undefined, ['--print'], env);
  expect([printedRun.status, printedRun.output]).toEqual([
    0,
    expect.stringMatching(/^STRIPE_WEBHOOK_SECRET='whsec_\w+'$/m),
  ]);
});
