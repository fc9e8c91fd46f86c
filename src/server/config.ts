import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { CardFee } from '#domain/card-fee.ts';
import { type BackupConfig, createBackupConfig, createPictureBucketConfig, type S3Config } from './bucket-settings.ts';
import { getDefaultDataDir } from './db/data-folder.ts';
import { splitHosts } from './db/hosts.ts';
import type { Parent } from './deps.ts';
import { type Env, findMissingSettings, findSettingConflicts, isLiveKey, isThisMachine } from './settings-problems.ts';
import { EXPECTED_VALUES, SETTINGS, type Settings } from './settings-schema.ts';

/** The sandbox is our stand-in for Stripe, never used in production. */
export type StripeConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'stripe'; readonly secretKey: string; readonly webhookSecret: string; readonly apiBase?: string };

/** @returns whether payments move real money, according to Stripe's keys */
export function isLiveMode(stripe: StripeConfig): boolean {
  return stripe.kind === 'stripe' && isLiveKey(stripe.secretKey);
}

export type TurnstileConfig = { readonly siteKey: string; readonly secretKey: string; readonly origin: string };

export type GoogleConfig = { readonly clientId: string; readonly clientSecret: string; readonly discoveryUrl: string };

export type Config = {
  readonly production: boolean;
  /** True if admins have no admin permissions until they have used a second factor. */
  readonly adminsNeedSecondFactor: boolean;
  /** The address or name to listen on; undefined for the default. */
  readonly host: string | undefined;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The server's own address, if `databaseUrl` points to a pooler in transaction mode. */
  readonly databaseListenUrl: string | undefined;
  /** Maximum number of connections per process. */
  readonly databasePool: number;
  /** The same database with its owner's role, which runs migrations. If undefined, the program's role runs them. */
  readonly migrateDatabaseUrl: string | undefined;
  readonly publicUrl: string | undefined;
  /** Origins of separately hosted pages that may call this API. */
  readonly pageOrigins: readonly string[];
  /** Origins of APIs that this host's pages call. */
  readonly apiOrigins: readonly string[];
  readonly stripe: StripeConfig;
  /** Fee that donors can add so that the fund receives the full gift; undefined if not offered. */
  readonly cardFee: CardFee | undefined;
  readonly smtpUrl: string | undefined;
  /** True in production, because emails contain sign-in links. False for an SMTP server on this machine. */
  readonly smtpNeedsTls: boolean;
  /** The picture bucket. */
  readonly s3: S3Config | undefined;
  readonly backup: BackupConfig | undefined;
  readonly locationiqKey: string | undefined;
  readonly turnstile: TurnstileConfig | undefined;
  readonly google: GoogleConfig | undefined;
  /** Lowercase email addresses whose verified owners are admins. */
  readonly adminEmails: readonly string[];
  /** Protects cookies and keys. If omitted, a secret is generated and stored in the database. */
  readonly authSecret: string | undefined;
  /** IP addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The id of the organization that `/` redirects to. */
  readonly defaultOrg: string;
  readonly parent: Parent;
  /** Sentence about state charity registration for the footer. */
  readonly stateRegistration: string | undefined;
  /** URL of the parent's latest annual report. */
  readonly annualReportUrl: string | undefined;
  readonly logLevel: string;
  /** Lowercase email addresses for alarms; if empty, alarms go to the admins. */
  readonly alarmEmails: readonly string[];
  /** Token for reading the metrics; they are disabled if undefined. */
  readonly metricsToken: string | undefined;
  /** How long the program keeps responding during a shutdown, so that proxies can switch to another server. */
  readonly stopWaitMs: number;
};

/** Finds settings that would send personal data to another machine without encryption, or to an unverified machine. */
export function findUnencryptedSettings({ databaseUrl, databaseListenUrl, migrateDatabaseUrl, s3 }: Config): string[] {
  const databases = {
    DATABASE_URL: databaseUrl,
    DATABASE_LISTEN_URL: databaseListenUrl,
    MIGRATE_DATABASE_URL: migrateDatabaseUrl,
  };
  const unsafe = Object.entries(databases).filter(
    ([, url]) => url && !splitHosts(url).every((hostUrl) => isThisMachine(hostUrl) || requiresVerifiedTls(hostUrl)),
  );
  const { endpoint = '' } = s3 ?? {};
  const bucket = endpoint.startsWith('http:') && !isThisMachine(endpoint) ? ['PICTURES_TO'] : [];
  return [...unsafe.map(([name]) => name), ...bucket];
}

/** @returns whether the driver encrypts and verifies the certificate */
function requiresVerifiedTls(databaseUrl: string): boolean {
  const query = URL.parse(databaseUrl)?.searchParams;
  const mode = query?.get('sslmode');
  const verifyingModes = query?.get('uselibpqcompat') === 'true' ? /^verify-/ : /^(?:prefer|require|verify-)/;
  return mode ? verifyingModes.test(mode) : /^(?:true|1)$/.test(query?.get('ssl') ?? '');
}

/** Invalid settings. The message lists every invalid setting but no values, which may be secret. */
export class ConfigError extends Error {}

/** Exit status for invalid settings (EX_CONFIG), which a restart can't fix. */
export const INVALID_SETTINGS_STATUS = 78;

export function getExitStatus(error: unknown): number {
  return error instanceof ConfigError ? INVALID_SETTINGS_STATUS : 1;
}

/** Time that a proxy needs to notice a failed readiness check. */
const STOP_WAIT_MS = 5000;
const TURNSTILE_ORIGIN = 'https://challenges.cloudflare.com';
const GOOGLE_DISCOVERY_URL = 'https://accounts.google.com/.well-known/openid-configuration';

/** Read from the current folder, next to the data, not from the program's folder, which an upgrade replaces. */
export const SETTINGS_FILE = '.env';

/**
 * Reads settings from the environment or, if missing there, from the file `.env` in the current folder, without validating
 * them. No other code reads the environment.
 * @throws ConfigError if the file can't be read
 */
export function readSettings(): Env {
  return { ...readSettingsFile(), ...removeEmptyValues(process.env) };
}

/** @throws ConfigError that lists each invalid or missing setting */
export function readConfig(env: Env = readSettings()): Config {
  const values = removeEmptyValues(env);
  const result = SETTINGS.safeParse(values);
  const invalidSettings = new Set(result.error?.issues.map(({ path: [name] }) => String(name)));
  const problems = [
    ...[...invalidSettings].map(invalidValueProblem),
    ...findMissingSettings(values),
    ...findSettingConflicts(values),
  ];
  if (!result.success || problems.length > 0) {
    throw new ConfigError(
      `The program cannot start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
  return createConfig(result.data);
}

/** Removes empty values, which count as missing. */
function removeEmptyValues(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
}

/** Reads the file without adding it to the environment, which child processes inherit. */
function readSettingsFile(): Env {
  try {
    return parseEnv(readFileSync(SETTINGS_FILE, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return {};
    throw new ConfigError(`The file ${path.resolve(SETTINGS_FILE)} cannot be read (${String(code)}).`);
  }
}

/**
 * Sets the configuration file of fontconfig, which renders the text of share images, unless the operator has set one.
 * Fontconfig logs errors on a machine without fonts if this file is missing.
 */
export function setFontConfigFile(file: string): void {
  process.env.FONTCONFIG_FILE ??= path.resolve(file);
}

function invalidValueProblem(name: string): string {
  return `${name}: must be ${EXPECTED_VALUES[name] ?? 'text'}`;
}

function createConfig(settings: Settings): Config {
  return {
    production: settings.NODE_ENV === 'production',
    // Always true in production.
    adminsNeedSecondFactor: settings.NODE_ENV === 'production' || settings.TEST_SETTINGS['second-step'] === 'required',
    host: settings.HOST,
    port: settings.PORT,
    dataDir: settings.DATA_DIR === undefined ? getDefaultDataDir() : path.resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    databaseListenUrl: settings.DATABASE_LISTEN_URL,
    databasePool: settings.DATABASE_POOL,
    migrateDatabaseUrl: settings.MIGRATE_DATABASE_URL,
    publicUrl: settings.PUBLIC_URL,
    pageOrigins: settings.PAGE_ORIGINS,
    apiOrigins: settings.API_ORIGINS,
    stripe: createStripeConfig(settings),
    cardFee: settings.CARD_FEE === 'none' ? undefined : settings.CARD_FEE,
    smtpUrl: settings.SMTP_URL,
    smtpNeedsTls: settings.NODE_ENV === 'production' && !isThisMachine(settings.SMTP_URL ?? ''),
    s3: createPictureBucketConfig(settings),
    backup: createBackupConfig(settings),
    locationiqKey: settings.LOCATIONIQ_KEY,
    turnstile: createTurnstileConfig(settings),
    google: createGoogleConfig(settings),
    adminEmails: settings.ADMIN_EMAILS,
    authSecret: settings.AUTH_SECRET,
    trustedProxies: settings.TRUSTED_PROXIES,
    defaultOrg: settings.DEFAULT_ORG,
    parent: {
      name: settings.PARENT_NAME ?? 'Sample Civic Organization',
      ein: settings.PARENT_EIN ?? '00-0000000',
      address: settings.PARENT_ADDRESS ?? '1 Sample Street, Sample City',
      contactEmail: settings.CONTACT_EMAIL ?? 'contact@sample.example',
    },
    stateRegistration: settings.STATE_REGISTRATION,
    annualReportUrl: settings.ANNUAL_REPORT_URL,
    stopWaitMs: settings.NODE_ENV === 'production' ? STOP_WAIT_MS : 0,
    logLevel: settings.LOG_LEVEL ?? (settings.NODE_ENV === 'production' ? 'info' : 'warn'),
    alarmEmails: settings.ALARM_EMAILS,
    metricsToken: settings.METRICS_TOKEN,
  };
}

function createStripeConfig(settings: Settings): StripeConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  const { stripe: apiBase } = settings.TEST_SETTINGS;
  if (!secretKey || !webhookSecret) return { kind: 'sandbox' };
  return { kind: 'stripe', secretKey, webhookSecret, ...(apiBase ? { apiBase } : {}) };
}

function createTurnstileConfig(settings: Settings): TurnstileConfig | undefined {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey } = settings;
  const { turnstile: origin = TURNSTILE_ORIGIN } = settings.TEST_SETTINGS;
  return siteKey && secretKey ? { siteKey, secretKey, origin } : undefined;
}

function createGoogleConfig(settings: Settings): GoogleConfig | undefined {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = settings;
  if (!clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, discoveryUrl: settings.TEST_SETTINGS.google ?? GOOGLE_DISCOVERY_URL };
}
