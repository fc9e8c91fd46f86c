import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { API_BASE, CALLS, type CallName, METRICS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { createAdapters } from '#server/adapters.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { newId } from '#server/db/new-id.ts';
import { openAndMigrate } from '#server/db/open-migrated.ts';
import { warnAboutSlowQueries } from '#server/db/slow-queries.ts';
import { createLogger } from '#server/log.ts';
import { createMetrics } from '#server/process/metrics.ts';
import { SETTINGS } from '#server/settings-schema.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { deferCleanup } from '#test/support/defer-cleanup.ts';
import { runStatements } from '#test/support/postgres-server.ts';
import { createWebFolder } from '#test/support/web-folder.ts';

/** Part of every secret in the settings and in requests. */
const CANARY = 'c4naryOfSecrets';
const secret = (name: string) => `${CANARY}-${name}-0123456789abcdef0123`;

/** The program's output by source. */
const outputs: { readonly source: string; readonly content: string }[] = [];
const write = (source: string, content: string) => void outputs.push({ source, content });

const VARIANTS = [
  CANARY,
  Buffer.from(CANARY).toString('hex'),
  // Base64 has three forms, one for each offset.
  ...['', 'a', 'ab'].map((prefix) =>
    Buffer.from(prefix + CANARY)
      .toString('base64')
      .slice(4, -4),
  ),
].map((variant) => variant.toLowerCase());

const findLeaks = () =>
  outputs.filter(({ content }) => {
    const lowercase = content.toLowerCase();
    return VARIANTS.some((variant) => lowercase.includes(variant));
  });

for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  const spy = vi
    .spyOn(console, method)
    .mockImplementation((...args) => write(`console.${method}`, args.map(String).join(' ')));
  deferCleanup(() => spy.mockRestore());
}

async function startListening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  deferCleanup(() => void server.close());
  return (server.address() as AddressInfo).port;
}

let failureMode: 'hostile' | 'gone' | 'confused' = 'hostile';

/** A failing external service that echoes its requests. */
async function startFailingService(): Promise<string> {
  const server = http.createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      if (failureMode === 'gone') return request.socket.destroy();
      const { headers, url } = request;
      const line = JSON.stringify({
        error: { message: `${url} ${JSON.stringify(headers)} ${body}`, type: 'invalid_request_error' },
      });
      return response
        .writeHead(failureMode === 'hostile' ? 401 : 200, { 'content-type': 'application/json' })
        .end(line);
    });
  });
  deferCleanup(() => server.closeAllConnections());
  return `http://127.0.0.1:${await startListening(server)}`;
}

/** An email server that rejects the password and echoes it. */
async function startFailingEmailServer(): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail\r\n');
    socket.on('data', (data) => {
      const output = data.toString().trim();
      if (/^EHLO/i.test(output)) socket.write('250-mail\r\n250 AUTH PLAIN\r\n');
      else if (/^AUTH/i.test(output))
        socket.write(`535 wrong: ${output} ${Buffer.from(output.slice(11), 'base64').toString()}\r\n`);
      else socket.end('221 bye\r\n');
    });
  });
  return startListening(server);
}

/** Fails every request to an address that isn't local. */
const realFetch = globalThis.fetch;
const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith('http://127.0.0.1:'))
    throw new TypeError(`${url} could not be fetched with ${JSON.stringify(init)}`);
  return realFetch(input, init);
});
afterAll(() => fetchSpy.mockRestore());

const SECRET_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'PICTURES_TO',
  'LOCATIONIQ_KEY',
  'TURNSTILE_SECRET_KEY',
  'GOOGLE_CLIENT_SECRET',
  'AUTH_SECRET',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'BACKUP_KEY',
  'BACKUP_TO',
] as const;
/** Settings that are public. */
const PUBLIC_SETTINGS = ['PUBLIC_URL', 'ANNUAL_REPORT_URL', 'TURNSTILE_SITE_KEY'];
/** Needed only with a pooler, which this test doesn't use. Contains the same password as DATABASE_URL. */
const DUPLICATE_SECRET_SETTINGS = ['DATABASE_LISTEN_URL'];

async function createSecretSettings(): Promise<Record<string, string>> {
  const server = inject('postgresUrl');
  const role = `canary_${newId().replaceAll('-', '_')}`;
  // Drops the role once the database is gone.
  deferCleanup(() => runStatements(server, `drop role "${role}"`));
  await runStatements(server, `create role "${role}" superuser login password '${secret('database')}'`);
  const { databaseUrl } = await createTestDatabaseLocation();
  const database = new URL(databaseUrl);
  database.username = role;
  database.password = secret('database');
  const service = await startFailingService();
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'trace',
    PUBLIC_URL: 'http://fund.example',
    STRIPE_SECRET_KEY: `sk_test_${secret('stripe')}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${secret('webhook')}`,
    TEST_SETTINGS: `stripe=${service},turnstile=${service},google=${service}/discovery`,
    SMTP_URL: `smtp://mailer:${secret('smtp')}@127.0.0.1:${await startFailingEmailServer()}`,
    PICTURES_TO: `s3://${secret('s3-id')}:${secret('s3')}@pictures?endpoint=${service}`,
    LOCATIONIQ_KEY: secret('places'),
    TURNSTILE_SITE_KEY: 'the-site-key',
    TURNSTILE_SECRET_KEY: secret('turnstile'),
    GOOGLE_CLIENT_ID: 'the-client',
    GOOGLE_CLIENT_SECRET: secret('google'),
    AUTH_SECRET: secret('auth'),
    METRICS_TOKEN: secret('metrics'),
    BACKUP_TO: `s3://${secret('backup-id')}:${secret('backup-s3')}@backups/fund/?endpoint=${service}`,
    BACKUP_KEY: secret('backup'),
    DATABASE_URL: database.href,
  };
}

const settings = await createSecretSettings();
const dataDir = await createScratchFolder('canary');
const config = readConfig({ ...settings, DATA_DIR: dataDir });
const log = createLogger('trace', { write: (line: string) => write('log', line) });
const { db } = await openAndMigrate(config, log);
const metrics = createMetrics();
// Every query is slow.
warnAboutSlowQueries(db.pool, { log, limit: 0 });
const adapters = await createAdapters(config, { db, metrics, log }, () => 0);
const app = await buildApp(adapters.deps, { logger: log, webFolder: await createWebFolder() });
await adapters.start();
afterAll(async () => {
  await app.close();
  await adapters.close();
  await db.close();
});
const orgId = await addOrg(db);

/** Removes the invented field name, which is echoed only to its sender. */
const removeEcho = (response: string) => response.replaceAll(`${secret('field').slice(0, 40)}…`, '');

type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly payload?: string;
};

/** Sends the request with secrets in every possible header, and records an error response. */
async function sendRequest(
  url: string,
  { method = 'GET', headers = {}, payload }: RequestOptions = {},
): Promise<number> {
  const secrets = {
    authorization: `Bearer ${secret('token')}`,
    cookie: `session=${secret('cookie')}; __Host-session=${secret('cookie')}; fund-device=${secret('device')}`,
    'stripe-signature': `t=1,v1=${secret('signature')}`,
    'x-request-id': secret('request'),
    'x-requested-with': secret('requested'),
    'proxy-authorization': secret('proxy'),
  };
  const response = await app.inject({
    url,
    method,
    headers: { ...secrets, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  if (response.statusCode >= 400)
    write(
      `${response.statusCode} ${method} ${url.split('?')[0]}`,
      JSON.stringify(response.headers) + removeEcho(response.body),
    );
  return response.statusCode;
}

const QUERY = new URLSearchParams(
  ['code', 'token', 'key', 'pass', 'state', 'return_to', 'email', 'q'].map((name) => [name, secret(name)]),
);

/** Builds a call's body with a secret in every text field. */
function buildBody(name: CallName): Record<string, unknown> {
  const { body }: CallSchema = SCHEMAS[name];
  const fields = body && 'shape' in body ? Object.keys(body.shape as object) : [];
  return Object.fromEntries(fields.map((field) => [field, PUBLIC_FIELDS[field] ?? secret(field)]));
}

/** Fields that aren't secret. Error messages may repeat them to the sender. */
const PUBLIC_FIELDS: Readonly<Record<string, unknown>> = { email: 'ada@donors.example', returnTo: '/', name: 'Ada' };

/** Makes every call, optionally also with unknown fields and bodies that aren't JSON. */
async function callAll({ includesBroken }: { readonly includesBroken: boolean }): Promise<void> {
  for (const [name, { method, path }] of Object.entries(CALLS) as [
    CallName,
    { method: RequestOptions['method'] & string; path: string },
  ][]) {
    const filledPath = path
      .replace(':orgid', orgId)
      .replace(':giftkey', secret('gift'))
      .replace(/:\w+/g, 'a'.repeat(22));
    const url = API_BASE + filledPath + (name === 'waitForChange' ? '?since=0&wait=0' : `?${QUERY}`);
    if (method === 'GET') {
      await sendRequest(url, { method });
      await sendRequest(url, { method, headers: { authorization: '' } });
      continue;
    }
    const jsonHeaders = { 'content-type': 'application/json' };
    const validBody = buildBody(name);
    const payload = JSON.stringify(validBody);
    // The token is rejected before the body is read.
    await sendRequest(url, { method, headers: jsonHeaders, payload });
    const visitorResponse = await app.inject({
      url: API_BASE + filledPath,
      method,
      payload,
      headers: { ...jsonHeaders, 'x-requested-with': 'a' },
    });
    if (visitorResponse.statusCode >= 400)
      write(`${visitorResponse.statusCode} ${name}`, removeEcho(visitorResponse.body));
    if (!includesBroken) continue;
    // Sends the request as a visitor, which gets further in calls that need no login.
    const headers = { ...jsonHeaders, authorization: `Basic ${btoa(secret('basic'))}` };
    const bodyWithUnknownField = JSON.stringify({ ...validBody, [secret('field')]: secret('value') });
    for (const body of [payload, bodyWithUnknownField, `{"password":"${secret('broken')}"`, secret('text')])
      await sendRequest(url, { method, headers, payload: body });
  }
}

async function callRemaining(): Promise<void> {
  const pages = [
    '/login',
    '/email-signin',
    '/reset-password',
    '/verify-email',
    '/second-step',
    '/login/confirmed',
    '/signup',
  ];
  for (const page of pages) await sendRequest(`${page}?${QUERY}`);
  for (const folder of ['', '/es']) await sendRequest(`${folder}/orgs/${orgId}/gifts/${secret('gift')}`);
  await sendRequest(`/api/auth/callback/google?${QUERY}`);
  await sendRequest(`/media/${'a'.repeat(22)}/48.webp?pass=${secret('pass')}`);
  await sendRequest(WEBHOOK_PATH, { method: 'POST', payload: JSON.stringify({ id: secret('event') }) });
  await sendRequest(METRICS_PATH, { headers: { authorization: `Bearer ${secret('wrong')}` } });
  await sendRequest(`/nothing?${QUERY}`);
  await sendRequest('/healthz');
  expect(await adapters.deps.challenge?.isPassed(secret('passed'))).not.toBe(true);
  await adapters.deps.places.search('Ithaca');
  await adapters.deps.payments
    .createSession({} as never)
    .catch((err: unknown) => log.error({ err }, 'no page was opened'));
}

test('no log line contains a secret from settings or visitors after any failure', async () => {
  for (const mode of ['hostile', 'gone', 'confused'] as const) {
    failureMode = mode;
    // Broken bodies are rejected before any service is used.
    await callAll({ includesBroken: mode === 'hostile' });
    await callRemaining();
  }
  // The jobs that send emails fail too.
  const failedJobLogs = () =>
    outputs.filter(({ source, content }) => source === 'log' && content.includes('a job failed'));
  await expect.poll(() => failedJobLogs().length).toBeGreaterThan(0);
  await db.pool.query('alter table sessions rename to gone');
  await db.pool.query('alter table rate_limits rename to gone_too');
  await callAll({ includesBroken: false });
  await db.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await callRemaining();
  await db.pool.query('alter table gone rename to sessions');
  await db.pool.query('alter table gone_too rename to rate_limits');
  const levels = new Set(outputs.flatMap(({ content }) => /"level":(\d+)/.exec(content)?.[1] ?? []));
  expect([...levels]).toEqual(expect.arrayContaining(['30', '40', '50']));
  expect(outputs.length).toBeGreaterThan(1000);
  expect(findLeaks()).toEqual([]);
});

test('neither metrics nor documentation contain a secret', async () => {
  const { body, statusCode } = await app.inject({
    url: METRICS_PATH,
    headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
  });
  expect(statusCode).toBe(200);
  write('metrics', body);
  for (const path of ['/api/docs', '/api/site', `/api/orgs/${orgId}`, '/api/docs/openapi.json']) {
    write(path, (await app.inject(path)).body);
  }
  expect(findLeaks().map(({ source }) => source)).toEqual([]);
});

test('errors about invalid settings or an unreachable database don’t contain the value', async () => {
  const invalidSettings = {
    ...Object.fromEntries(SECRET_SETTINGS.map((name) => [name, `\t${secret(name)}`])),
    NODE_ENV: 'production',
  };
  const tryReadConfig = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      write('start', String(error));
    }
  };
  tryReadConfig({ ...settings, ...invalidSettings });
  for (const name of SECRET_SETTINGS) tryReadConfig({ ...settings, [name]: secret(name) });
  for (const port of ['1', '99999']) {
    const address = `postgres://fund:${secret('database')}@127.0.0.1:${port}/fund`;
    await openAndMigrate({ ...config, databaseUrl: address }, log).catch((error: unknown) => {
      const { message, stack, cause } = error as Error;
      write('start', `${message} ${stack} ${String(cause)}`);
    });
    await openAndMigrate({ ...config, migrateDatabaseUrl: address }, log).catch((error: unknown) =>
      write('start', String(error)),
    );
  }
  expect(outputs.filter(({ source }) => source === 'start').length).toBeGreaterThan(5);
  expect(findLeaks().map(({ source, content }) => [source, content])).toEqual([]);
});

test('every potentially secret setting has a canary', () => {
  const secrets = Object.keys(SETTINGS.shape).filter(
    (name) =>
      /URL|KEY|SECRET|TOKEN|PASS|_TO$/.test(name) && ![...PUBLIC_SETTINGS, ...DUPLICATE_SECRET_SETTINGS].includes(name),
  );
  expect(secrets.toSorted()).toEqual([...SECRET_SETTINGS].toSorted());
});
