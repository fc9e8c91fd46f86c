import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isEmail } from '#domain/profile.ts';
import type { Parent } from './deps.ts';

/** Where payments go. The sandbox is our own stand-in, where no money moves; it does not exist in production. */
export type StripeConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'stripe'; readonly secretKey: string; readonly webhookSecret: string; readonly apiBase?: string };

export type S3Config = {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
};

/** The client by which people sign in with Google, and where it says what it offers. */
export type GoogleConfig = { readonly clientId: string; readonly clientSecret: string; readonly discoveryUrl: string };

export type Config = {
  readonly production: boolean;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly publicUrl: string | undefined;
  /** Origins of pages that are served apart from the program, and make calls to it. */
  readonly pageOrigins: readonly string[];
  /** The origins of APIs that this host's pages call instead of its own. */
  readonly apiOrigins: readonly string[];
  readonly stripe: StripeConfig;
  readonly smtpUrl: string | undefined;
  readonly s3: S3Config | undefined;
  readonly locationiqKey: string | undefined;
  readonly google: GoogleConfig | undefined;
  /** Who is an admin as soon as the address is proven; in small letters. */
  readonly adminEmails: readonly string[];
  /** What cookies and keys are protected with; without it one is made, and kept in the database. */
  readonly authSecret: string | undefined;
  /** Addresses and networks of the proxies whose word about a client's address is taken; nobody's without it. */
  readonly trustedProxies: readonly string[];
  readonly defaultOrg: string;
  readonly parent: Parent;
  readonly logLevel: string;
};

/** A wrong setting: its message names every one of them, and never says a secret's value. */
export class ConfigError extends Error {}

const text = z.string().trim().min(1);
const address = z.url({ protocol: /^https?$/ });
/** Whatever stands behind the host would be lost in silence, so it is refused. */
const origin = address
  .refine((url) => URL.parse(url)?.href === `${URL.parse(url)?.origin}/`)
  .transform((url) => new URL(url).origin);

/** Texts between commas. */
const list = z
  .string()
  .transform((set) => set.split(',').map((each) => each.trim()))
  .transform((all) => all.filter((each) => each !== ''));

const ENVIRONMENTS = ['production', 'development', 'test'] as const;
const GOOGLE_DISCOVERY_URL = 'https://accounts.google.com/.well-known/openid-configuration';
const SECRET_MINIMUM = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SETTINGS = z.object({
  // A slip in this word would let a production open the sandbox.
  NODE_ENV: z.enum(ENVIRONMENTS).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PUBLIC_URL: origin.optional(),
  PAGE_ORIGINS: list.pipe(z.array(origin)).default([]),
  API_ORIGINS: list.pipe(z.array(origin)).default([]),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_API_BASE: origin.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  // Some stores have a path in it.
  S3_ENDPOINT: address.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_FORCE_PATH_STYLE: z.stringbool().default(false),
  LOCATIONIQ_KEY: text.optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  GOOGLE_DISCOVERY_URL: address.default(GOOGLE_DISCOVERY_URL),
  ADMIN_EMAILS: list
    .refine((all) => all.every(isEmail))
    .transform((all) => all.map((email) => email.toLowerCase()))
    .default([]),
  AUTH_SECRET: z.string().trim().min(SECRET_MINIMUM).optional(),
  TRUSTED_PROXIES: list.refine((all) => all.every(isProxy)).default([]),
  DEFAULT_ORG: text.default('sample'),
  PARENT_NAME: text.optional(),
  PARENT_EIN: text.optional(),
  PARENT_ADDRESS: text.optional(),
  CONTACT_EMAIL: text.refine(isEmail).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
});

/** An address, or a network as "10.0.0.0/8"; not the whole of the internet, for then anybody could say anything. */
function isProxy(text: string): boolean {
  const [ip = '', bits, ...more] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

type Settings = z.output<typeof SETTINGS>;

/** What a setting must be where not every text will do, for the operator; in words of our own, which hold no value. */
const EXPECTED: Readonly<Record<string, string>> = {
  NODE_ENV: `one of ${ENVIRONMENTS.join(', ')}`,
  PORT: 'a whole number from 0 to 65535',
  DATABASE_URL: 'an address such as postgres://user:password@host/database',
  PUBLIC_URL: 'an address such as https://fund.example, with nothing behind the host',
  PAGE_ORIGINS: 'addresses such as https://fund.example, with nothing behind the host and commas between them',
  API_ORIGINS: 'addresses such as https://api.fund.example, with nothing behind the host and commas between them',
  STRIPE_API_BASE: 'an address such as http://127.0.0.1:12111, with nothing behind the host',
  SMTP_URL: 'an address such as smtps://user:password@mail.example',
  S3_ENDPOINT: 'an address such as https://s3.example',
  S3_FORCE_PATH_STYLE: 'true or false',
  CONTACT_EMAIL: 'an email address',
  GOOGLE_DISCOVERY_URL: `an address such as ${GOOGLE_DISCOVERY_URL}`,
  ADMIN_EMAILS: 'email addresses, with commas between them',
  AUTH_SECRET: `a text of at least ${SECRET_MINIMUM} characters`,
  TRUSTED_PROXIES: 'addresses or networks such as 10.0.0.0/8, with commas between them',
  LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')}`,
};

/** What production cannot do without (decisions §1). */
const NEEDED_IN_PRODUCTION = [
  'PUBLIC_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'PARENT_NAME',
  'PARENT_EIN',
  'PARENT_ADDRESS',
  'CONTACT_EMAIL',
  'SMTP_URL',
  'DEFAULT_ORG',
] as const;

/**
 * The settings of the environment; the only reader of it.
 * @throws ConfigError naming each wrong or missing setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const result = SETTINGS.safeParse(set);
  const wrong = new Set(result.error?.issues.map(({ path: [name] }) => String(name)));
  const problems = [...[...wrong].map(wrongValue), ...missing(set), ...contradictions(set)];
  if (!result.success || problems.length > 0) {
    throw new ConfigError(`The program cannot start with these settings:\n${problems.map((p) => `  ${p}`).join('\n')}`);
  }
  return configOf(result.data);
}

/**
 * Has the library that sets texts on pictures read its settings from a file, where the operator names no other one. By
 * itself it looks for those of the machine, and complains on standard error where there are none.
 */
export function setFontSettings(file: string): void {
  process.env.FONTCONFIG_FILE ??= path.resolve(file);
}

function wrongValue(name: string): string {
  return `${name}: must be ${EXPECTED[name] ?? 'a text'}`;
}

function configOf(settings: Settings): Config {
  return {
    production: settings.NODE_ENV === 'production',
    port: settings.PORT,
    dataDir: path.resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    publicUrl: settings.PUBLIC_URL,
    pageOrigins: settings.PAGE_ORIGINS,
    apiOrigins: settings.API_ORIGINS,
    stripe: stripeOf(settings),
    smtpUrl: settings.SMTP_URL,
    s3: s3Of(settings),
    locationiqKey: settings.LOCATIONIQ_KEY,
    google: googleOf(settings),
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
    logLevel: settings.LOG_LEVEL ?? (settings.NODE_ENV === 'production' ? 'info' : 'warn'),
  };
}

function stripeOf(settings: Settings): StripeConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = settings;
  if (!secretKey || !webhookSecret) return { kind: 'sandbox' };
  return { kind: 'stripe', secretKey, webhookSecret, ...(apiBase ? { apiBase } : {}) };
}

function s3Of(settings: Settings): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!bucket || !accessKeyId || !secretAccessKey) return undefined;
  return {
    bucket,
    accessKeyId,
    secretAccessKey,
    region: settings.S3_REGION,
    endpoint: settings.S3_ENDPOINT,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  };
}

function googleOf(settings: Settings): GoogleConfig | undefined {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = settings;
  if (!clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, discoveryUrl: settings.GOOGLE_DISCOVERY_URL };
}

type Env = Readonly<Record<string, string | undefined>>;

function missing(env: Env): string[] {
  if (env.NODE_ENV !== 'production') return [];
  return NEEDED_IN_PRODUCTION.filter((name) => !env[name]).map((name) => `${name}: needed in production`);
}

function contradictions(env: Env): string[] {
  const problems: string[] = [];
  const together = (names: readonly string[]) => {
    const given = names.filter((name) => env[name]);
    const left = names.filter((name) => !env[name]);
    if (given.length > 0 && left.length > 0) problems.push(`${left.join(', ')}: needed beside ${given.join(', ')}`);
  };
  together(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
  together(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  together(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']);
  if (env.GOOGLE_DISCOVERY_URL && !env.GOOGLE_CLIENT_ID) {
    problems.push('GOOGLE_CLIENT_ID: needed beside GOOGLE_DISCOVERY_URL');
  }
  if (env.STRIPE_API_BASE && !env.STRIPE_SECRET_KEY) problems.push('STRIPE_SECRET_KEY: needed beside STRIPE_API_BASE');
  if (env.NODE_ENV === 'production' && env.STRIPE_API_BASE) {
    problems.push('STRIPE_API_BASE: a stand-in for the payment provider has no place in production');
  }
  if (env.NODE_ENV === 'production' && URL.parse(env.GOOGLE_DISCOVERY_URL ?? '')?.protocol === 'http:') {
    problems.push('GOOGLE_DISCOVERY_URL: must be https in production');
  }
  return problems;
}
