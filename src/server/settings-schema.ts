import { z } from 'zod';
import { type CardFee, DEFAULT_CARD_FEE, MAX_BASIS_POINTS, MAX_FIXED_FEE } from '#domain/card-fee.ts';
import { isEmail } from '#domain/profile.ts';
import { BACKUP_SETTINGS, EXPECTED_BACKUP_VALUES } from './bucket-settings.ts';
import { splitHosts } from './db/hosts.ts';
import { POOL_SIZE } from './db/limits.ts';
import { isAllowedProxy } from './trusted-proxies.ts';

const text = z.string().trim().min(1);
const address = z.url({ protocol: /^https?$/ });
/** Rejects a path, which would be ignored. */
const origin = address
  .refine((url) => URL.parse(url)?.href === `${URL.parse(url)?.origin}/`)
  .transform((url) => new URL(url).origin);

const singleHostUrl = z.url({ protocol: /^postgres(ql)?$/ });
const postgres = z
  .string()
  .refine((url) => splitHosts(url).every((hostUrl) => singleHostUrl.safeParse(hostUrl).success));

/** Comma-separated values. */
const commaSeparated = z
  .string()
  .transform((joinedValues) => joinedValues.split(',').map((value) => value.trim()))
  .transform((values) => values.filter((value) => value !== ''));

const emails = commaSeparated
  .refine((addresses) => addresses.every(isEmail))
  .transform((addresses) => addresses.map((email) => email.toLowerCase()))
  .default([]);

/** "2.9% + 30" (a share of the charge, plus cents), or "none". */
const cardFee = z
  .string()
  .transform(parseCardFee)
  .refine((fee) => fee !== undefined);

function parseCardFee(text: string): CardFee | 'none' | undefined {
  if (text.trim().toLowerCase() === 'none') return 'none';
  const [, whole, fraction = '', cents] = /^\s*(\d{1,2})(?:\.(\d{1,2}))?\s*%\s*\+\s*(\d{1,4})\s*$/.exec(text) ?? [];
  const fee = { basisPoints: Number(whole + fraction.padEnd(2, '0')), fixedCents: Number(cents) };
  return fee.basisPoints <= MAX_BASIS_POINTS && fee.fixedCents <= MAX_FIXED_FEE ? fee : undefined;
}

/** Stand-ins for outside services, and checks that only production requires. Comma-separated, such as `stripe=http://…`. */
const testSettings = commaSeparated
  .transform((pairs): Record<string, string | undefined> => Object.fromEntries(pairs.map(splitPair)))
  .pipe(
    z.strictObject({
      stripe: origin.optional(),
      turnstile: origin.optional(),
      google: address.optional(),
      'second-step': z
        .string()
        .regex(/^required$/)
        .optional(),
    }),
  );

function splitPair(pair: string): readonly [string, string] {
  const [name = '', ...value] = pair.split('=');
  return [name, value.join('=')];
}

const ENVIRONMENTS = ['production', 'development', 'test'] as const;
const MIN_SECRET_LENGTH = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** All settings, grouped as in docs/settings.md. */
export const SETTINGS = z.object({
  // An enum, because a typo in free text would start the sandbox in production.
  NODE_ENV: z.enum(ENVIRONMENTS).optional(),
  TEST_SETTINGS: testSettings.default({}),

  // The site
  PUBLIC_URL: origin.optional(),
  DEFAULT_ORG: text.default('sample'),
  HOST: z
    .string()
    .trim()
    .regex(/^[\w.:-]+$/)
    .optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  TRUSTED_PROXIES: commaSeparated.refine((proxies) => proxies.every(isAllowedProxy)).default([]),
  PAGE_ORIGINS: commaSeparated.pipe(z.array(origin)).default([]),
  API_ORIGINS: commaSeparated.pipe(z.array(origin)).default([]),

  // The parent organization
  PARENT_NAME: text.optional(),
  PARENT_EIN: text.optional(),
  PARENT_ADDRESS: text.optional(),
  CONTACT_EMAIL: text.refine(isEmail).optional(),
  STATE_REGISTRATION: text.optional(),
  ANNUAL_REPORT_URL: address.optional(),

  // Money
  STRIPE_SECRET_KEY: text.optional(),
  // Anyone who guesses it can forge payments. Stripe's secrets have 38 characters.
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .trim()
    .regex(/^whsec_.{26,}$/)
    .optional(),
  ALLOW_TEST_PAYMENTS: z.stringbool().default(false),
  CARD_FEE: cardFee.default(DEFAULT_CARD_FEE),
  TURNSTILE_SITE_KEY: text.optional(),
  TURNSTILE_SECRET_KEY: text.optional(),

  // People
  ADMIN_EMAILS: emails,
  ALARM_EMAILS: emails,
  AUTH_SECRET: z.string().trim().min(MIN_SECRET_LENGTH).optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),

  // Data
  DATABASE_URL: postgres.optional(),
  DATABASE: z.enum(['embedded']).optional(),
  DATABASE_LISTEN_URL: postgres.optional(),
  MIGRATE_DATABASE_URL: postgres.optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(POOL_SIZE),
  DATA_DIR: text.optional(),
  PICTURES_TO: text.optional(),
  ...BACKUP_SETTINGS,

  // Other services
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  LOCATIONIQ_KEY: text.optional(),

  // Operation
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  METRICS_TOKEN: z.string().trim().min(MIN_SECRET_LENGTH).optional(),
});

export type Settings = z.output<typeof SETTINGS>;

/** Expected values for error messages. Zod's own messages could contain the actual value. */
export const EXPECTED_VALUES: Readonly<Record<string, string>> = {
  NODE_ENV: `one of ${ENVIRONMENTS.join(', ')}`,
  TEST_SETTINGS: 'stand-ins for tests, such as stripe=http://127.0.0.1:12111 (docs/settings.md)',
  PUBLIC_URL: 'an address such as https://fund.example, without a path',
  HOST: 'an address of this machine such as 127.0.0.1, or a name such as localhost',
  PORT: 'a whole number from 0 to 65535',
  TRUSTED_PROXIES:
    'addresses or networks of your own proxies such as 10.0.0.0/8, separated by commas; on the internet at most a /12, in IPv6 a /20',
  PAGE_ORIGINS: 'addresses such as https://fund.example, without a path and separated by commas',
  API_ORIGINS: 'addresses such as https://api.fund.example, without a path and separated by commas',
  CONTACT_EMAIL: 'an email address',
  ANNUAL_REPORT_URL: 'an address such as https://civic.example/report.pdf',
  STRIPE_WEBHOOK_SECRET: 'the signing secret of the webhook at Stripe: whsec_ and at least 26 more characters',
  ALLOW_TEST_PAYMENTS: 'true or false',
  CARD_FEE: 'a fee such as 2.9% + 30 (a share of the charge, and cents), or none',
  ADMIN_EMAILS: 'email addresses separated by commas',
  ALARM_EMAILS: 'email addresses separated by commas',
  AUTH_SECRET: `at least ${MIN_SECRET_LENGTH} characters long`,
  DATABASE_URL:
    'an address such as postgres://user:password@host/database, or with several hosts: …@host1,host2/database',
  DATABASE_LISTEN_URL: 'an address such as postgres://user:password@host/database',
  DATABASE: 'embedded, or not set',
  MIGRATE_DATABASE_URL: 'an address such as postgres://owner:password@host/database',
  DATABASE_POOL: 'a whole number from 2 to 500',
  ...EXPECTED_BACKUP_VALUES,
  SMTP_URL: 'an address such as smtps://user:password@mail.example',
  LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')}`,
  METRICS_TOKEN: `at least ${MIN_SECRET_LENGTH} characters long`,
};
