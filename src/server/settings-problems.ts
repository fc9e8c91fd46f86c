import { z } from 'zod';
import { findBucketProblems } from './bucket-settings.ts';

/** Settings as text, before they are parsed. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Settings without which production doesn't start (decisions §1). */
const REQUIRED_IN_PRODUCTION = [
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

/** @returns whether an address belongs to this machine, so that its traffic uses no network */
export function isThisMachine(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return host === '' || /(?:^|\.)localhost$/.test(host) || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

/** @returns whether a Stripe key moves real money */
export function isLiveKey(key: string): boolean {
  return /^[a-z]+_live_/.test(key);
}

/** Minimum number of distinct characters. 32 random hexadecimal digits have fewer in about 1 of 100 million cases. */
const MIN_DISTINCT_SECRET_CHARACTERS = 8;

/** Settings whose URLs receive login credentials. */
const HTTPS_IN_PRODUCTION = ['PUBLIC_URL', 'PAGE_ORIGINS', 'API_ORIGINS'] as const;

function allowsTestKeys(env: Env): boolean {
  return z.stringbool().safeParse(env.ALLOW_TEST_PAYMENTS).data === true;
}

export function findMissingSettings(env: Env): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const problems = REQUIRED_IN_PRODUCTION.filter((name) => !env[name]).map((name) => `${name}: required in production`);
  // With a default, a typo would start a new, empty fund.
  return env.DATABASE_URL || env.DATABASE ? problems : [DATABASE_REQUIRED, ...problems];
}

const DATABASE_REQUIRED =
  'DATABASE_URL: required in production; or set DATABASE=embedded to store the database in DATA_DIR';

/** Finds valid values that would break payments or email links in production, or weaken the secret. */
function findProductionProblems({ STRIPE_SECRET_KEY: key = '', PUBLIC_URL = '', AUTH_SECRET: secret }: Env): string[] {
  const problems: string[] = [];
  if (key !== '' && !/^[sr]k_(?:live|test)_./.test(key.trim())) {
    problems.push(NOT_A_SECRET_KEY_PROBLEM);
  }
  if (PUBLIC_URL !== '' && isThisMachine(PUBLIC_URL.trim())) {
    problems.push(
      'PUBLIC_URL: links to the visitor’s own machine; set the public address, such as https://fund.example',
    );
  }
  if (secret !== undefined && new Set(secret.trim()).size < MIN_DISTINCT_SECRET_CHARACTERS) {
    problems.push(
      'AUTH_SECRET: is easy to guess; generate one with “openssl rand -hex 32”, or omit it and the program will generate one',
    );
  }
  return problems;
}

/** Stripe keys that can't make our calls: publishable keys, webhook secrets, and keys for mobile apps. */
const WRONG_KEY_PATTERN = /^(?:pk|whsec|mk)_/;
const NOT_A_SECRET_KEY_PROBLEM =
  'STRIPE_SECRET_KEY: is not a secret key; copy your account’s secret key from Stripe’s “API keys” page: it begins with sk_live_ (or rk_live_ if restricted), not pk_';

/** Finds settings that are valid individually, but not together or in this environment. */
export function findSettingConflicts(env: Env): string[] {
  const problems: string[] = [];
  if (env.NODE_ENV !== 'production' && WRONG_KEY_PATTERN.test(env.STRIPE_SECRET_KEY?.trim() ?? ''))
    problems.push(NOT_A_SECRET_KEY_PROBLEM);
  const requireAllOrNone = (names: readonly string[]) => {
    const presentNames = names.filter((name) => env[name]);
    const missingNames = names.filter((name) => !env[name]);
    if (presentNames.length > 0 && missingNames.length > 0)
      problems.push(`${missingNames.join(', ')}: required with ${presentNames.join(', ')}`);
  };
  requireAllOrNone(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
  requireAllOrNone(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']);
  requireAllOrNone(['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY']);
  problems.push(...findBucketProblems(env));
  if (env.DATABASE && env.DATABASE_URL)
    problems.push('DATABASE: can’t be used with DATABASE_URL, which names another database');
  for (const name of ['MIGRATE_DATABASE_URL', 'DATABASE_LISTEN_URL'])
    if (env[name] && !env.DATABASE_URL) problems.push(`DATABASE_URL: required with ${name}`);
  if (env.NODE_ENV === 'production' && /^[a-z]+_test_/.test(env.STRIPE_SECRET_KEY ?? '') && !allowsTestKeys(env)) {
    problems.push('STRIPE_SECRET_KEY: is a test key; in production set ALLOW_TEST_PAYMENTS=true to use it');
  }
  if (env.NODE_ENV === 'production' && env.TEST_SETTINGS) problems.push('TEST_SETTINGS: not allowed in production');
  if (env.NODE_ENV === 'production') {
    problems.push(...findProductionProblems(env));
    for (const name of HTTPS_IN_PRODUCTION) {
      const urls = (env[name] ?? '').split(',').map((text) => URL.parse(text.trim()));
      if (urls.some((url) => url?.protocol === 'http:')) problems.push(`${name}: must be https in production`);
    }
  }
  if (env.NODE_ENV !== 'production' && isLiveKey(env.STRIPE_SECRET_KEY?.trim() ?? '')) {
    problems.push(
      'STRIPE_SECRET_KEY: is a live key, but outside production anyone on this machine can read all emails, including sign-in links; set NODE_ENV=production or use a test key',
    );
  }
  return problems;
}
