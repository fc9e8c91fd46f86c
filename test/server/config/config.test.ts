// @spec decisions.1 decisions.6
import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { ConfigError, findUnencryptedSettings, isLiveMode, readConfig, setFontConfigFile } from '#server/config.ts';
import { describeDatabase } from '#server/db/data-folder.ts';

const WEBHOOK_SECRET = 'whsec_of_the_settings_of_this_test';

type Env = Readonly<Record<string, string>>;

const PRODUCTION: Env = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://fund.example',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PARENT_NAME: 'Civic Organization',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street',
  CONTACT_EMAIL: 'fund@civic.example',
  SMTP_URL: 'smtps://user:secret@mail.example',
  DEFAULT_ORG: 'ithaca',
  DATABASE_URL: 'postgres://fund@localhost/fund',
};

/** Returns the operator's error message. Fails if the program would start. */
function readConfigError(env: Env): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The settings were accepted.');
}

test('production rejects a test key unless test payments are allowed', () => {
  const testKeyEnv = { ...PRODUCTION, STRIPE_SECRET_KEY: 'sk_test_1' };
  expect(readConfigError(testKeyEnv)).toContain('STRIPE_SECRET_KEY: is a test key');
  expect(readConfigError({ ...testKeyEnv, ALLOW_TEST_PAYMENTS: 'false' })).toContain(
    'STRIPE_SECRET_KEY: is a test key',
  );
  expect(isLiveMode(readConfig({ ...testKeyEnv, ALLOW_TEST_PAYMENTS: 'true' }).stripe)).toBe(false);
});

test.each([
  ['STRIPE_SECRET_KEY', 'foo', 'is not a secret key; copy'],
  ['STRIPE_SECRET_KEY', 'pk_live_1', 'is not a secret key; copy'],
  ['STRIPE_SECRET_KEY', 'whsec_1', 'is not a secret key; copy'],
  ['PUBLIC_URL', 'https://localhost', 'links to the visitor’s own machine; set the public address'],
  ['PUBLIC_URL', 'https://fund.localhost:8443', 'links to the visitor’s own machine; set the public address'],
  ['PUBLIC_URL', 'https://127.0.0.1', 'links to the visitor’s own machine; set the public address'],
  ['AUTH_SECRET', 'a'.repeat(64), 'is easy to guess; generate one with'],
  ['AUTH_SECRET', 'abc'.repeat(20), 'is easy to guess; generate one with'],
])('production rejects %s=%s and suggests a fix', (name, value, reason) => {
  expect(readConfigError({ ...PRODUCTION, [name]: value })).toContain(`${name}: ${reason}`);
});

test('production accepts standard and restricted Stripe keys, and a random AUTH_SECRET', () => {
  for (const STRIPE_SECRET_KEY of ['sk_live_1', 'rk_live_1'])
    expect(readConfig({ ...PRODUCTION, STRIPE_SECRET_KEY }).production).toBe(true);
  expect(readConfig({ ...PRODUCTION, AUTH_SECRET: '8f3b0c5d9e7a1246f0b8d7c3e5a91624' }).production).toBe(true);
});

test.each([
  ['sk_live_1', true],
  ['rk_live_1', true],
  ['sk_test_1', false],
  ['rk_test_1', false],
])('with the key %s, payments move real money: %s', (STRIPE_SECRET_KEY, isLiveKey) => {
  const { stripe } = readConfig({ ...PRODUCTION, STRIPE_SECRET_KEY, ALLOW_TEST_PAYMENTS: 'true' });
  expect(isLiveMode(stripe)).toBe(isLiveKey);
});

test('the sandbox moves no real money', () => {
  expect(isLiveMode(readConfig({}).stripe)).toBe(false);
});

function omitSetting(env: Env, name: string): Env {
  return Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));
}

test('admins need a second step in production, and elsewhere only if a test requires it', () => {
  const needsSecondStep = (env: Record<string, string>) => readConfig(env).adminsNeedSecondFactor;
  expect(needsSecondStep(PRODUCTION)).toBe(true);
  expect(needsSecondStep({ TEST_SETTINGS: 'second-step=required' })).toBe(true);
  expect(needsSecondStep({})).toBe(false);
});

test('development needs no settings', () => {
  expect(readConfig({})).toEqual({
    production: false,
    adminsNeedSecondFactor: false,
    host: undefined,
    port: 8080,
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    databaseListenUrl: undefined,
    databasePool: 10,
    migrateDatabaseUrl: undefined,
    publicUrl: undefined,
    pageOrigins: [],
    apiOrigins: [],
    stripe: { kind: 'sandbox' },
    cardFee: DEFAULT_CARD_FEE,
    smtpUrl: undefined,
    smtpNeedsTls: false,
    s3: undefined,
    locationiqKey: undefined,
    turnstile: undefined,
    google: undefined,
    adminEmails: [],
    authSecret: undefined,
    trustedProxies: [],
    defaultOrg: 'sample',
    parent: {
      name: 'Sample Civic Organization',
      ein: '00-0000000',
      address: '1 Sample Street, Sample City',
      contactEmail: 'contact@sample.example',
    },
    stateRegistration: undefined,
    annualReportUrl: undefined,
    logLevel: 'warn',
    alarmEmails: [],
    metricsToken: undefined,
    stopWaitMs: 0,
  });
});

test.each(['127.0.0.1', '::1', '0.0.0.0', 'localhost', 'fund-1.internal'])('HOST=%s', (HOST) =>
  expect(readConfig({ HOST }).host).toBe(HOST),
);

test.each(['http://127.0.0.1', '127.0.0.1/8', 'my host', 'a,b'])('HOST="%s" prevents startup', (HOST) =>
  expect(readConfigError({ HOST })).toContain('HOST: must be an address of this machine'),
);

/** Reads the configuration in a new process started in a folder. */
function readConfigIn(folder: string, env: Env): { status: number | null; output: string } {
  const config = pathToFileURL(path.resolve('src/server/config.ts')).href;
  const code = `import { readConfig } from '${config}';
    const { parent, port } = readConfig();
    console.log([parent.name, parent.address, port, process.env.PARENT_NAME].join('|'));`;
  const args = ['--input-type=module', '-e', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

test('missing or empty settings are read from the .env file in the data folder', async () => {
  const folder = await createScratchFolder('settings');
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  expect(readConfigIn(folder, {}).output).toBe('Sample Civic Organization|1 Sample Street, Sample City|8080|\n');
  const lines = ["PARENT_NAME='Friends of $HOME & #1'", "PARENT_ADDRESS='1 Main Street'", "PORT='8090'", ''];
  await fs.writeFile(path.join(folder, '.env'), lines.join('\n'));
  expect(readConfigIn(folder, { PORT: '', PARENT_ADDRESS: '2 Main Street' }).output).toBe(
    'Friends of $HOME & #1|2 Main Street|8090|\n',
  );
});

test('an unreadable .env file prevents startup', async () => {
  const folder = await createScratchFolder('settings');
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  await fs.mkdir(path.join(folder, '.env'));
  const { status, output } = readConfigIn(folder, {});
  expect(status).not.toBe(0);
  expect(output).toContain(`The file ${path.join(folder, '.env')} cannot be read (EISDIR).`);
});

test.each([
  ['2.9% + 30', { basisPoints: 290, fixedCents: 30 }],
  ['2.2%+30', { basisPoints: 220, fixedCents: 30 }],
  ['1.75 % + 0', { basisPoints: 175, fixedCents: 0 }],
  ['none', undefined],
])('CARD_FEE="%s"', (text, fee) => expect(readConfig({ CARD_FEE: text }).cardFee).toEqual(fee));

test.each(['2.9', '2.9%', '2.9% + $0.30', '0.029 + 30', '29% + 30', '2.9% + 2000', '-2.9% + 30', '2.999% + 30'])(
  'CARD_FEE="%s" prevents startup',
  (text) => expect(readConfigError({ CARD_FEE: text })).toContain('CARD_FEE: must be a fee such as 2.9% + 30'),
);

test.each(['1', '501', '4.5'])('DATABASE_POOL=%s prevents startup', (DATABASE_POOL) =>
  expect(readConfigError({ DATABASE_POOL })).toContain('DATABASE_POOL: must be a whole number'),
);

test('a blank setting counts as not set', () => {
  const blankSettings = Object.fromEntries(
    [...Object.keys(PRODUCTION), 'PORT', 'PICTURES_TO'].map((name) => [name, ' \t']),
  );
  expect(readConfig(blankSettings)).toEqual(readConfig({}));
});

test('unknown settings are ignored', () => {
  expect(readConfig({ PATH: '/bin', HOME: '/root', PARENT: '' })).toEqual(readConfig({}));
});

test('settings are read', () => {
  const config = readConfig({
    ...PRODUCTION,
    PORT: '80',
    DATABASE_URL: 'postgresql://user:secret@db.example/fund',
    MIGRATE_DATABASE_URL: 'postgresql://owner:secret@db.example/fund',
    PICTURES_TO: 's3://id:ke/y+%40@pictures?endpoint=https://store.example/storage/v1/s3',
    LOCATIONIQ_KEY: ' pk.1 ',
    TURNSTILE_SITE_KEY: '0x1',
    TURNSTILE_SECRET_KEY: 'hush',
    STATE_REGISTRATION: ' Registered in New York. ',
    ANNUAL_REPORT_URL: 'https://civic.example/report.pdf',
    LOG_LEVEL: 'debug',
    DATABASE_POOL: '20',
  });
  expect(config).toMatchObject({
    production: true,
    port: 80,
    databasePool: 20,
    stopWaitMs: 5000,
    databaseUrl: 'postgresql://user:secret@db.example/fund',
    migrateDatabaseUrl: 'postgresql://owner:secret@db.example/fund',
    publicUrl: 'https://fund.example',
    stripe: { kind: 'stripe', secretKey: 'sk_live_1', webhookSecret: WEBHOOK_SECRET },
    smtpUrl: 'smtps://user:secret@mail.example',
    locationiqKey: 'pk.1',
    turnstile: { siteKey: '0x1', secretKey: 'hush', origin: 'https://challenges.cloudflare.com' },
    defaultOrg: 'ithaca',
    parent: {
      name: 'Civic Organization',
      ein: '12-3456789',
      address: '1 Main Street',
      contactEmail: 'fund@civic.example',
    },
    stateRegistration: 'Registered in New York.',
    annualReportUrl: 'https://civic.example/report.pdf',
    logLevel: 'debug',
    alarmEmails: [],
    metricsToken: undefined,
  });
  expect(config.s3).toEqual({
    bucket: 'pictures',
    region: 'us-east-1',
    endpoint: 'https://store.example/storage/v1/s3',
    accessKeyId: 'id',
    secretAccessKey: 'ke/y+@',
  });
});

test('origins of separate frontends are read', () => {
  expect(readConfig({ API_ORIGINS: 'https://api.fund.example/' }).apiOrigins).toEqual(['https://api.fund.example']);
  const { pageOrigins } = readConfig({ PAGE_ORIGINS: 'https://fund.example/, http://localhost:5173,' });
  expect(pageOrigins).toEqual(['https://fund.example', 'http://localhost:5173']);
});

test('sign-in settings are read', () => {
  const config = readConfig({
    GOOGLE_CLIENT_ID: 'fund.apps.example',
    GOOGLE_CLIENT_SECRET: 'hush',
    ADMIN_EMAILS: ' Ada@Example.org,grace@example.org, ,',
    AUTH_SECRET: 'a text of thirty-two characters!',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1, fd00::/8',
  });
  expect(config).toMatchObject({
    google: {
      clientId: 'fund.apps.example',
      clientSecret: 'hush',
      discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration',
    },
    adminEmails: ['ada@example.org', 'grace@example.org'],
    authSecret: 'a text of thirty-two characters!',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
  });
});

// @asvs 12.2.1
test.each(['PUBLIC_URL', 'PAGE_ORIGINS', 'API_ORIGINS'])(
  'in production, %s must use https because logins pass through it',
  (name) => {
    const insecureSetting = { [name]: 'http://fund.example' };
    expect(readConfigError({ ...PRODUCTION, ...insecureSetting })).toContain(`  ${name}: must be https in production`);
    expect(() => readConfig(insecureSetting)).not.toThrow();
  },
);

test.each(['x!', 'a text of thirty-two characters!', 'whsec_of_25_characters_behind_'])(
  'a guessable webhook secret is rejected: %j',
  (STRIPE_WEBHOOK_SECRET) => {
    const problem = readConfigError({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET });
    expect(problem).toContain('  STRIPE_WEBHOOK_SECRET: must be the signing secret of the webhook at Stripe');
    expect(problem).not.toContain(STRIPE_WEBHOOK_SECRET);
  },
);

test('a live key works only in production, because elsewhere emails with sign-in links are readable', () => {
  for (const NODE_ENV of ['', 'development', 'test']) {
    const problem = readConfigError({ ...PRODUCTION, NODE_ENV });
    expect(problem).toContain('STRIPE_SECRET_KEY: is a live key');
    expect(problem).toContain('set NODE_ENV=production or use a test key');
  }
});

test('proxy networks can be as large as a hosting provider’s', () => {
  const trustedProxies = ['104.16.0.0/13', '10.0.0.0/8', '2606:4700::/32', 'fd00::/8', '::1', '::1/128'];
  expect(readConfig({ TRUSTED_PROXIES: trustedProxies.join() }).trustedProxies).toEqual(trustedProxies);
});

test('the trailing slash of a URL is removed', () => {
  expect(readConfig({ PUBLIC_URL: 'https://fund.example/' }).publicUrl).toBe('https://fund.example');
});

test('production logs requests by default', () => {
  expect(readConfig(PRODUCTION).logLevel).toBe('info');
  expect(readConfig({ ...PRODUCTION, LOG_LEVEL: 'error' }).logLevel).toBe('error');
});

// @asvs 13.2.3
test.each([
  ['NODE_ENV', 'Production'],
  ['NODE_ENV', 'production '],
  ['NODE_ENV', 'staging'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['DATABASE_URL', 'mysql://user:hunter2@db.example/fund'],
  ['DATABASE_URL', 'db.example:hunter2'],
  ['PUBLIC_URL', 'city.example'],
  ['PUBLIC_URL', 'ftp://fund.example'],
  ['PUBLIC_URL', 'https://fund.example/give'],
  ['PUBLIC_URL', 'https://fund.example?give=1'],
  ['PUBLIC_URL', 'https://user:hunter2@fund.example'],
  ['SMTP_URL', 'https://user:hunter2@mail.example'],
  ['PICTURES_TO', 's3://pictures'],
  ['PICTURES_TO', 's3://id:hunter2@pictures/prefix'],
  ['PICTURES_TO', 's3://id:hunter2@pictures?endpoint=store.example'],
  ['PICTURES_TO', 's3://id:hunter2@pictures?zone=1'],
  ['PICTURES_TO', 's3://id:%2@pictures'],
  ['PICTURES_TO', '/srv/pictures'],
  ['TEST_SETTINGS', 'stripe=store'],
  ['TEST_SETTINGS', 'paypal=http://127.0.0.1:1'],
  ['CONTACT_EMAIL', 'nobody at home'],
  ['ADMIN_EMAILS', 'ada@example.org; grace@example.org'],
  ['ADMIN_EMAILS', 'ada@example.org,grace'],
  ['API_ORIGINS', '*'],
  ['PAGE_ORIGINS', '*'],
  ['PAGE_ORIGINS', 'https://fund.example,fund.example'],
  ['PAGE_ORIGINS', 'https://fund.example/give'],
  ['AUTH_SECRET', 'a text of thirty-one characters'],
  ['TRUSTED_PROXIES', 'true'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '127.0.0.1,0.0.0.0/0'],
  ['TRUSTED_PROXIES', '::/0'],
  ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1'],
  ['TRUSTED_PROXIES', '104.0.0.0/11'],
  ['TRUSTED_PROXIES', '10.0.0.0/7'],
  ['TRUSTED_PROXIES', '2000::/3'],
  ['TRUSTED_PROXIES', '2400::/19'],
  ['TRUSTED_PROXIES', '::ffff:0.0.0.0/96'],
  ['TRUSTED_PROXIES', '0:0:0:0:0:ffff:0:0/97'],
  ['TRUSTED_PROXIES', '::/80'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ['LOG_LEVEL', 'loud'],
])('the error for an invalid %s (%j) names the setting without repeating the value', (name, value) => {
  const problem = readConfigError({ [name]: value });
  expect(problem).toMatch(new RegExp(`^  ${name}: must be [^\\n]{5,}$`, 'm'));
  expect(problem.split('\n')).toHaveLength(2);
  expect(problem).not.toContain(value);
});

test('all errors are reported together', () => {
  const problem = readConfigError({ PORT: 'x', LOG_LEVEL: 'x', SMTP_URL: 'x' });
  for (const name of ['PORT', 'LOG_LEVEL', 'SMTP_URL']) expect(problem).toContain(`  ${name}: `);
});

// @asvs 13.2.3
test.each(Object.keys(omitSetting(PRODUCTION, 'NODE_ENV')))('production requires %s', (name) => {
  expect(readConfigError(omitSetting(PRODUCTION, name))).toContain(`${name}: required in production`);
  expect(readConfigError({ ...PRODUCTION, [name]: ' ' })).toContain(`${name}: required in production`);
});

test('production uses the embedded database only with DATABASE=embedded', () => {
  const envWithoutUrl = omitSetting(PRODUCTION, 'DATABASE_URL');
  expect(readConfigError(envWithoutUrl)).toContain(
    'DATABASE_URL: required in production; or set DATABASE=embedded to store the database in DATA_DIR',
  );
  expect(readConfig({ ...envWithoutUrl, DATABASE: 'embedded' }).databaseUrl).toBeUndefined();
  expect(readConfigError({ ...envWithoutUrl, DATABASE: 'postgres' })).toContain(
    'DATABASE: must be embedded, or not set',
  );
  expect(readConfigError({ ...PRODUCTION, DATABASE: 'embedded' })).toContain(
    'DATABASE: can’t be used with DATABASE_URL, which names another database',
  );
  expect(readConfig({}).databaseUrl).toBeUndefined();
});

test.each([
  [{ DATABASE_URL: 'postgres://ada:hush@db.example:5433/fund?sslmode=require' }, 'PostgreSQL, fund on db.example:5433'],
  [{ DATABASE_URL: 'postgresql:///fund?host=/run/postgresql' }, 'PostgreSQL, fund on /run/postgresql'],
  [{ DATABASE_URL: 'postgresql:///fund' }, 'PostgreSQL, fund on this machine'],
  [{ DATA_DIR: '/srv/fund/data' }, 'embedded, in /srv/fund/data/postgres'],
])('the database of %j is described as: %s', (env, name) => {
  expect(describeDatabase(readConfig(env))).toBe(name);
});

const SECRET = '8f3b0c5d9e7a1246f0b8d7c3e5a91624';

test.each([
  [{ BACKUP_KEY: SECRET }, 'BACKUP_TO: required with BACKUP_KEY'],
  [{ BACKUP_TO: '/backups', BACKUP_KEY: 'a'.repeat(64) }, 'BACKUP_KEY: must be at least 32 characters long and hard'],
  [{ BACKUP_TO: 's3://' }, 'BACKUP_TO: must be a folder, or a bucket such as s3://KEY:SECRET@bucket/prefix'],
  [
    { BACKUP_TO: `s3://id:${SECRET}@` },
    'BACKUP_TO: must be a folder, or a bucket such as s3://KEY:SECRET@bucket/prefix',
  ],
  [{ BACKUP_TO: 's3://bucket' }, 'BACKUP_TO: needs the key and secret of the bucket'],
])('inconsistent backup settings are rejected: %j', (env, problem) => {
  const text = readConfigError(env);
  expect(text).toContain(`  ${problem}`);
  expect(text).not.toContain(SECRET);
});

test('backups go to a folder, or to a bucket with its own keys or the picture bucket’s keys', () => {
  expect(readConfig({}).backup).toBeUndefined();
  expect(readConfig({ BACKUP_TO: '/backups', BACKUP_KEY: SECRET }).backup).toEqual({
    to: { folder: '/backups' },
    secret: SECRET,
  });
  const pictures = { PICTURES_TO: 's3://id:hush@photos?region=eu-west-1' };
  const sharedTarget = readConfig({ ...pictures, BACKUP_TO: ' s3://safe/fund/' }).backup?.to;
  expect(sharedTarget).toMatchObject({
    s3: { bucket: 'safe', accessKeyId: 'id', region: 'eu-west-1' },
    prefix: 'fund/',
  });
  const separateTarget = readConfig({ ...pictures, BACKUP_TO: 's3://own:hush@safe' }).backup?.to;
  expect(separateTarget).toMatchObject({ s3: { bucket: 'safe', accessKeyId: 'own', region: 'us-east-1' }, prefix: '' });
});

test.each(['stripe=http://127.0.0.1:12111', 'second-step=required'])(
  'production rejects TEST_SETTINGS=%s',
  (TEST_SETTINGS) => {
    expect(readConfigError({ ...PRODUCTION, TEST_SETTINGS })).toContain('TEST_SETTINGS: not allowed in production');
  },
);

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_1' }, 'STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY'],
  [{ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }, 'STRIPE_SECRET_KEY: required with STRIPE_WEBHOOK_SECRET'],
  [{ MIGRATE_DATABASE_URL: 'postgres://db.example/fund' }, 'DATABASE_URL: required with MIGRATE_'],
  [{ DATABASE_LISTEN_URL: 'postgres://db.example/fund' }, 'DATABASE_URL: required with DATABASE_LISTEN'],
  [{ TURNSTILE_SITE_KEY: '0x1' }, 'TURNSTILE_SECRET_KEY: required with TURNSTILE_SITE_KEY'],
  [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET: required with GOOGLE_CLIENT_ID'],
  [{ GOOGLE_CLIENT_SECRET: 'hush' }, 'GOOGLE_CLIENT_ID: required with GOOGLE_CLIENT_SECRET'],
])('incomplete pairs of settings are rejected: %j', (env, expectedError) => {
  expect(readConfigError(env)).toContain(expectedError);
});

test('stand-ins replace outside services in development', () => {
  const config = readConfig({
    STRIPE_SECRET_KEY: 'sk_1',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    TURNSTILE_SITE_KEY: '0x1',
    TURNSTILE_SECRET_KEY: 'hush',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'hush',
    TEST_SETTINGS: 'stripe=http://127.0.0.1:1, turnstile=http://127.0.0.1:2/,google=http://127.0.0.1:3/discovery?a=b',
  });
  expect(config.stripe).toMatchObject({ secretKey: 'sk_1', apiBase: 'http://127.0.0.1:1' });
  expect(config.turnstile?.origin).toBe('http://127.0.0.1:2');
  expect(config.google?.discoveryUrl).toBe('http://127.0.0.1:3/discovery?a=b');
});

const validSettings = { ...PRODUCTION, TEST_SETTINGS: 'stripe=http://127.0.0.1:9', PORT: '80' };
const validOrInvalid = (value: string) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(value) }, fc.constantFrom('', ' ', '!secret!'));
const anyEnv = fc.record(
  Object.fromEntries(Object.entries(validSettings).map(([name, value]) => [name, validOrInvalid(value)])),
  {
    requiredKeys: Object.keys(PRODUCTION),
  },
);

test.each([
  ['DATABASE_URL', 'postgres://u:p@db.example/fund', true],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?sslmode=disable', true],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?sslmode=no-verify', true],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?sslmode=require&uselibpqcompat=true', true],
  ['DATABASE_URL', 'postgres://u:p@127.0.0.1.example/fund', true],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?sslmode=require', false],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?sslmode=verify-full&uselibpqcompat=true', false],
  ['DATABASE_URL', 'postgres://u:p@db.example/fund?ssl=true', false],
  ['DATABASE_URL', 'postgres://u:p@127.0.0.1:5433/fund', false],
  ['DATABASE_URL', 'postgres:///fund', false],
  ['PICTURES_TO', 's3://k:s@bucket?endpoint=http://s3.example', true],
  ['PICTURES_TO', 's3://k:s@bucket?endpoint=http://localhost:9000', false],
  ['PICTURES_TO', 's3://k:s@bucket?endpoint=https://s3.example', false],
])('%s=%s sends data unencrypted or to an unverified host: %s', (name, address, isUnencrypted) => {
  expect(findUnencryptedSettings(readConfig({ [name]: address }))).toEqual(isUnencrypted ? [name] : []);
});

test.each([
  ['smtp://localhost:25', false],
  ['smtp://[::1]:25', false],
  ['smtp://127.1.2.3', false],
  ['smtp://mail.example', true],
  ['smtps://mail.example', true],
  ['smtp://10.0.0.1', true],
  ['smtp://localhost.example', true],
])('in production the mail server %s must encrypt: %s', (SMTP_URL, mustEncrypt) => {
  expect(readConfig({ ...PRODUCTION, SMTP_URL }).smtpNeedsTls).toBe(mustEncrypt);
  expect(readConfig({ SMTP_URL }).smtpNeedsTls).toBe(false);
});

test('no settings enable the sandbox in production or leak a setting’s value', () => {
  let startedCount = 0;
  const startOrFailSafely = (env: Env) => {
    try {
      const { production, stripe } = readConfig(env);
      expect(production).toBe(env.NODE_ENV === 'production');
      if (!production) return;
      startedCount += 1;
      expect(stripe).toEqual({ kind: 'stripe', secretKey: 'sk_live_1', webhookSecret: WEBHOOK_SECRET });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      expect(error.message).not.toMatch(/!secret!|user:secret|sk_live_1|whsec_of/);
    }
  };
  const freeTextSettings = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];
  const env = anyEnv.filter((candidate) => freeTextSettings.every((name) => candidate[name] !== '!secret!'));
  fc.assert(fc.property(env, startOrFailSafely), { numRuns: 500 });
  expect(startedCount).toBeGreaterThan(20);
});

test('the text renderer gets default settings unless the operator sets others', () => {
  vi.stubEnv('FONTCONFIG_FILE', undefined);
  setFontConfigFile('assets/fonts.conf');
  expect(process.env.FONTCONFIG_FILE).toBe(path.resolve('assets/fonts.conf'));
  vi.stubEnv('FONTCONFIG_FILE', '/etc/fonts/own.conf');
  setFontConfigFile('assets/fonts.conf');
  expect(process.env.FONTCONFIG_FILE).toBe('/etc/fonts/own.conf');
  vi.unstubAllEnvs();
});

test.each(['production', 'development', 'test', undefined])(
  'a public key is rejected in every environment: %s',
  (NODE_ENV) => {
    const keys = { STRIPE_SECRET_KEY: 'pk_test_canary', STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` };
    const readKeys = () => readConfig({ ...keys, ...(NODE_ENV === undefined ? {} : { NODE_ENV }) });
    expect(readKeys).toThrow('STRIPE_SECRET_KEY: is not a secret key');
    expect(readKeys).not.toThrow('canary');
  },
);
